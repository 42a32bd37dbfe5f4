// SPDX-License-Identifier: BSD-3-Clause
//
// Ground states of a small job without symmetry: the same bits on any PEs and maps, the same energy
// for any division into objects, forces and stress against differences of energies.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <string>

#include "support/ab_initio/ground_states.hpp"
#include "support/ab_initio/gth_jobs.hpp"

namespace fg::test {
namespace {

using ab_initio::GroundState;
using ab_initio::Job;

GroundState solve(const Job& job, int pes = 1, const std::string& map = "block") {
  GroundState state = find_ground_state(job, pes, map);
  EXPECT_EQ(state.converged, job.ground_state.iterations > 10);
  return state;
}

Job converged_to(double tolerance, Job job) {
  job.ground_state.tolerance = tolerance;
  return job;
}

TEST(GroundState, ConvergesAndGoesDown) {
  const GroundState state = solve(gth_job());
  EXPECT_TRUE(state.converged);
  EXPECT_LT(state.residual(), 1e-7);
  ASSERT_GT(state.history.size(), 10U);
  for (std::size_t i = 1; i < state.history.size(); ++i)
    EXPECT_LT(state.history[i].energy, state.history[i - 1].energy + 1e-12);
  EXPECT_EQ(state.eigenvalues.size(), 5U);
  EXPECT_DOUBLE_EQ(state.energies.total(), state.history.back().energy);
}

TEST(GroundState, EndsWhenTheEnergyIsKnownToItsTolerance) {
  for (const char* functional : {"PW92", "PBE"})
    for (const auto start : {ab_initio::StartKind::random, ab_initio::StartKind::atomic}) {
      Job job = gth_job(functional);
      job.ground_state.start = start;
      job.ground_state.tolerance = 1e-9;
      job.ground_state.energy_tolerance = 1e-14;
      const GroundState end = solve(job);
      std::size_t before = 0;
      for (const double tolerance : {1e-3, 1e-5, 1e-7, 1e-9, 1e-11}) {
        job.ground_state.energy_tolerance = tolerance;
        const GroundState state = solve(job);
        EXPECT_LT(state.energies.total() - end.energies.total(), tolerance) << functional;
        // It stops for this reason, and not much later than needed: an iteration gains a digit or
        // less.
        EXPECT_LT(state.history.size(), end.history.size());
        EXPECT_GT(state.energies.total() - end.energies.total(), 1e-4 * tolerance) << functional;
        EXPECT_GE(state.history.size(), before);
        before = state.history.size();
      }
    }
}

TEST(GroundState, IsFoundFromAnyStart) {
  Job job = gth_job();
  const GroundState random = solve(job);
  job.ground_state.seed = 2;
  const GroundState other = solve(job);
  job.ground_state.minimiser = ab_initio::MinimiserKind::conjugate_gradients;
  EXPECT_NEAR(solve(job).energies.total(), random.energies.total(), 1e-11);
  job.ground_state.minimiser = ab_initio::MinimiserKind::steepest_descent;
  EXPECT_NEAR(solve(job).energies.total(), random.energies.total(), 1e-11);
  job.ground_state.minimiser = ab_initio::MinimiserKind::l_bfgs;
  // Ten atomic orbitals for five; with two blocks of three, sets and blocks do not end together.
  job.ground_state.start = ab_initio::StartKind::atomic;
  job.division.state_grain = 3;
  const GroundState atomic = solve(job);
  EXPECT_NEAR(other.energies.total(), random.energies.total(), 1e-12);
  EXPECT_NEAR(atomic.energies.total(), random.energies.total(), 1e-12);
  EXPECT_LT(atomic.history.size(), random.history.size());
  EXPECT_LT(atomic.history.front().energy, random.history.front().energy);
  // Fewer atomic orbitals than needed: random ones with them.
  job.species[0].orbitals.clear();
  for (auto& species : job.species)
    if (species.symbol == "H") species.orbitals.clear();
  EXPECT_NEAR(solve(job).energies.total(), random.energies.total(), 1e-12);
}

TEST(GroundState, HasTheSameBitsOnAnyPesAndMaps) {
  for (const std::string functional : {"PW92", "PBE"})
    for (const ab_initio::DivisionSettings& division : {ab_initio::DivisionSettings{5, 1, 1},
                                                        {2, 1, 3},
                                                        {1, 2, 2},
                                                        {2, 3, 6},
                                                        {1, 2, 2, 3, 2},
                                                        {2, 2, 2, 2, 2, 3},
                                                        {2, 2, 6, 2, 2, 3, 4}}) {
      Job job = gth_job(functional);
      job.division = division;
      job.ground_state.iterations = 6;
      job.ground_state.start =
          functional == "PBE" ? ab_initio::StartKind::atomic : ab_initio::StartKind::random;
      const std::string digest = solve(job).digest;
      EXPECT_EQ(digest.size(), 64U);
      for (const int pes : {2, 3, 4, 8})
        for (const char* map : {"block", "round-robin", "hashed"})
          EXPECT_EQ(solve(job, pes, map).digest, digest) << functional << ", " << pes << " " << map;
    }
}

TEST(GroundState, HasTheSameEnergyForAnyDivisionIntoObjects) {
  for (const std::string functional : {"PW92", "PBE"}) {
    const GroundState whole = solve(converged_to(1e-8, gth_job(functional)));
    for (const ab_initio::DivisionSettings& division :
         {ab_initio::DivisionSettings{1, 1, 1},
          {3, 2, 4},
          {2, 5, 15},
          {4, 18, 18},
          // Groups of pairs, tiles that are blocks, and tiles that end inside of them.
          {1, 2, 4, 5, 1},
          {2, 1, 2, 3, 3},
          {3, 2, 4, 2, 2},
          {5, 1, 2, 1, 4},
          // Chunks of waves, alone and with all of these.
          {5, 1, 1, 1, 0, 7},
          {2, 3, 3, 2, 2, 5},
          // Planes of the density in pieces: few, unequal ones, rows of a plane, and all at once.
          {5, 1, 1, 1, 0, 1, 2},
          {2, 2, 4, 1, 0, 1, 5},
          {5, 1, 18, 1, 0, 1, 18},
          {3, 3, 9, 2, 2, 3, 4}}) {
      Job job = converged_to(1e-8, gth_job(functional));
      job.division = division;
      const GroundState state = solve(job, 2);
      EXPECT_NEAR(state.energies.total(), whole.energies.total(), 1e-11);
      for (std::size_t i = 0; i < state.forces.size(); ++i)
        for (int axis = 0; axis < 3; ++axis)
          EXPECT_NEAR(state.forces[i][axis], whole.forces[i][axis], 1e-6);
    }
  }
}

/// The whole matrix is also what several tiles come back to when they are far from orthonormal, and
/// at the start; so with one step nearly all of them have been through every way.
TEST(GroundState, FindsTheSameWayWithTilesAndGroups) {
  for (const auto start : {ab_initio::StartKind::atomic, ab_initio::StartKind::random}) {
    Job job = gth_job();
    job.ground_state.start = start;
    job.ground_state.iterations = 8;
    job.division = {2, 1, 1};
    const GroundState whole = solve(job);
    for (const ab_initio::DivisionSettings& division : {ab_initio::DivisionSettings{2, 1, 1, 1, 2},
                                                        {2, 1, 1, 3, 5},
                                                        {2, 1, 1, 2, 1},
                                                        {2, 1, 1, 3, 2, 4}}) {
      job.division = division;
      const GroundState tiles = solve(job, 3);
      ASSERT_EQ(tiles.history.size(), whole.history.size());
      for (std::size_t i = 0; i < whole.history.size(); ++i) {
        EXPECT_NEAR(tiles.history[i].energy, whole.history[i].energy, 1e-10)
            << static_cast<int>(start) << i;
        EXPECT_NEAR(tiles.history[i].residual, whole.history[i].residual, 1e-9)
            << static_cast<int>(start) << i;
      }
      for (std::size_t i = 0; i < whole.eigenvalues.size(); ++i)
        EXPECT_NEAR(tiles.eigenvalues[i], whole.eigenvalues[i], 1e-9)
            << static_cast<int>(start) << i;
    }
  }
}

/// At the ground state the energy changes only by what the forces say, to second order in the
/// residual.
TEST(GroundState, HasTheForcesOfItsEnergy) {
  for (const std::string functional : {"PW92", "PBE", "BLYP"}) {
    const Job job = converged_to(1e-10, gth_job(functional));
    const GroundState state = solve(job);
    for (const auto& [ion, axis] : {std::pair{0, 0}, {1, 2}, {2, 1}, {3, 0}}) {
      const double energy_slope = slope(
          [&](double by) {
            Job moved = job;
            moved.positions[static_cast<std::size_t>(ion)][axis] += by;
            return solve(moved).energies.total();
          },
          0.002);
      EXPECT_NEAR(state.forces[static_cast<std::size_t>(ion)][axis], -energy_slope, 1e-8)
          << functional << ", ion " << ion << ", axis " << axis;
    }
  }
}

TEST(GroundState, CountsTheDispersionThatTheJobHas) {
  Job job = converged_to(1e-8, gth_job());
  const GroundState without = solve(job);
  EXPECT_FALSE(without.energies.dispersion);
  job.dispersion = {"of a test", -0.125, job.positions, {1, 2, 3, 2, 5, 6, 3, 6, 9}};
  const GroundState with = solve(job);
  EXPECT_EQ(with.energies.dispersion, -0.125);
  EXPECT_EQ(with.energies.terms().back(), (std::pair<std::string, double>{"dispersion", -0.125}));
  EXPECT_NEAR(with.energies.total(), without.energies.total() - 0.125, 1e-12);
  EXPECT_NEAR(with.history.front().energy, without.history.front().energy - 0.125, 1e-12);
  for (std::size_t i = 0; i < with.forces.size(); ++i)
    for (int axis = 0; axis < 3; ++axis)
      EXPECT_NEAR(with.forces[i][axis], without.forces[i][axis] + job.positions[i][axis], 1e-7);
  for (std::size_t i = 0; i < 9; ++i)
    EXPECT_NEAR(with.stress[i], without.stress[i] + job.dispersion->strain[i] / job.cell.volume(),
                1e-7);
}

/// The ions move by whole steps of the grid, on which exchange and correlation are summed.
TEST(GroundState, DoesNotChangeWhenAllIonsAreMoved) {
  const Job job = converged_to(1e-9, gth_job("PBE"));
  Job moved = job;
  for (Vec3& r : moved.positions)
    for (std::size_t axis = 0; axis < 3; ++axis)
      r += (2.0 + static_cast<double>(axis)) / job.electrons.grid[axis] * job.cell.vectors[axis];
  const GroundState here = solve(job), there = solve(moved);
  EXPECT_NEAR(there.energies.total(), here.energies.total(), 1e-11);
  for (std::size_t i = 0; i < here.forces.size(); ++i)
    for (int axis = 0; axis < 3; ++axis)
      EXPECT_NEAR(there.forces[i][axis], here.forces[i][axis], 1e-7);
}

/// Forces turn with the cell and the ions, energies stay.
TEST(GroundState, TurnsWithItsCell) {
  const Job job = converged_to(1e-9, gth_job("PBE"));
  // About (1, 1, 1) by a third of a turn, which changes the axes, then about z by 0.3.
  const auto turned = [](const Vec3& r) {
    const Vec3 next{r[2], r[0], r[1]};
    const double c = std::cos(0.3), s = std::sin(0.3);
    return Vec3{c * next[0] - s * next[1], s * next[0] + c * next[1], next[2]};
  };
  Job other = job;
  for (Vec3& r : other.positions) r = turned(r);
  for (Vec3& vector : other.cell.vectors) vector = turned(vector);
  const GroundState here = solve(job), there = solve(other);
  EXPECT_NEAR(there.energies.total(), here.energies.total(), 1e-11);
  for (std::size_t i = 0; i < here.forces.size(); ++i)
    for (int axis = 0; axis < 3; ++axis)
      EXPECT_NEAR(there.forces[i][axis], turned(here.forces[i])[axis], 1e-7);
}

TEST(GroundState, HasTheStressOfItsEnergy) {
  // The strain keeps the indices of the waves: the cut-off is so that none comes in or leaves.
  for (const std::string functional : {"PW92", "PBE", "BLYP"}) {
    const Job job = converged_to(1e-10, gth_job(functional));
    const GroundState state = solve(job);
    for (const auto& [a, b] : {std::pair{0, 0}, {1, 1}, {0, 2}}) {
      const double energy_slope =
          slope([&](double by) { return solve(strained(job, a, b, by)).energies.total(); }, 1e-5);
      EXPECT_NEAR(state.stress[static_cast<std::size_t>(3 * a + b)],
                  energy_slope / job.cell.volume(), 1e-8)
          << functional << ", " << a << b;
    }
  }
}

}  // namespace
}  // namespace fg::test
