// SPDX-License-Identifier: BSD-3-Clause
//
// Ground states with collinear spin: the same bits on any PEs and maps, the same energy for any
// division into objects, from any start and as without spin; forces and stress against differences
// of energies.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <string>

#include "support/ab_initio/ground_states.hpp"
#include "support/ab_initio/gth_jobs.hpp"

namespace fg::test {
namespace {

using ab_initio::GroundState;
using ab_initio::Job;

Job converged(Job job) {
  job.ground_state.tolerance = 1e-10;
  return job;
}

/// A chain of four hydrogen atoms, up and down in turns at the start, without unpaired electrons.
Job chain_job() {
  Job job = spin_job();
  const double edge = 16;
  job.cell.vectors = {Vec3{edge, 0, 0}, Vec3{0, 7, 0}, Vec3{0, 0, 7}};
  job.electrons.grid = {32, 15, 15};
  job.electrons.bands = 4;
  job.electrons.bands_up = 2;
  job.positions = {{0, 0, 0}, {4, 0.1, 0}, {8.2, 0, 0.1}, {12, 0, 0}};
  job.species_of = {1, 1, 1, 1};
  job.masses.assign(4, 1837);
  job.moments = {1, -1, 1, -1};
  job.ground_state.start = ab_initio::StartKind::atomic;
  return job;
}

TEST(SpinGroundState, HasTheSameBitsOnAnyPesAndMaps) {
  for (const std::string functional : {"PW92", "PBE"})
    for (const ab_initio::DivisionSettings& division : {ab_initio::DivisionSettings{5, 1, 1},
                                                        {2, 1, 3},
                                                        {2, 3, 6},
                                                        {2, 1, 2, 3, 4},
                                                        {3, 1, 2, 2, 4, 2}}) {
      Job job = spin_job(functional);
      job.division = division;
      job.ground_state.iterations = 5;
      job.ground_state.start =
          functional == "PBE" ? ab_initio::StartKind::atomic : ab_initio::StartKind::random;
      job.writes_density = true;
      const GroundState one = find_ground_state(job);
      for (const int pes : {2, 3, 4, 8})
        for (const char* map : {"block", "round-robin", "hashed"}) {
          const GroundState other = find_ground_state(job, pes, map);
          EXPECT_EQ(other.digest, one.digest) << functional << ", " << pes << " " << map;
          EXPECT_EQ(other.spin_density, one.spin_density);
          EXPECT_EQ(other.magnetization, one.magnetization);
        }
    }
}

TEST(SpinGroundState, HasTheSameEnergyForAnyDivisionIntoObjects) {
  for (const std::string functional : {"PW92", "PBE"}) {
    const GroundState whole = find_ground_state(converged(spin_job(functional)));
    ASSERT_TRUE(whole.converged);
    for (const ab_initio::DivisionSettings& division : {ab_initio::DivisionSettings{1, 1, 1},
                                                        {3, 2, 4},
                                                        {4, 3, 9},
                                                        {4, 1, 3, 1, 0, 1, 5},
                                                        {2, 2, 2, 5, 2},
                                                        {1, 1, 1, 9, 1}}) {
      Job job = converged(spin_job(functional));
      job.division = division;
      const GroundState state = find_ground_state(job, 2);
      EXPECT_NEAR(state.energies.total(), whole.energies.total(), 1e-11);
      EXPECT_NEAR(state.magnetization[1], whole.magnetization[1], 1e-8);
    }
  }
}

TEST(SpinGroundState, IsFoundFromAnyStart) {
  Job job = converged(spin_job("PBE"));
  const GroundState random = find_ground_state(job);
  job.ground_state.start = ab_initio::StartKind::atomic;
  const GroundState atomic = find_ground_state(job);
  EXPECT_NEAR(atomic.energies.total(), random.energies.total(), 1e-11);
  EXPECT_LT(atomic.history.size(), random.history.size());
  // 9 electrons, one of them unpaired.
  EXPECT_EQ(atomic.eigenvalues.size(), 9U);
  EXPECT_NEAR(atomic.magnetization[0], 1, 1e-12);
  EXPECT_GT(atomic.magnetization[1], 1.001);
  // Fewer atomic orbitals than one spin needs: random ones with them.
  job.species[0].orbitals.clear();
  job.ground_state.minimiser = ab_initio::MinimiserKind::conjugate_gradients;
  EXPECT_NEAR(find_ground_state(job).energies.total(), random.energies.total(), 1e-11);
}

TEST(SpinGroundState, HasTheEnergyOfClosedShellsIfThereAreAsManyOfBothSpins) {
  for (const std::string functional : {"PW92", "BLYP", "GGA_X_PBE_SOL+GGA_C_PBE_SOL"})
    for (const auto start : {ab_initio::StartKind::atomic, ab_initio::StartKind::random}) {
      Job closed = converged(gth_job(functional));
      closed.ground_state.start = start;
      Job open = closed;
      open.electrons.spins = 2;
      open.electrons.bands = 10;
      open.electrons.bands_up = 5;
      open.moments.assign(open.positions.size(), 0);
      const GroundState without = find_ground_state(closed), with = find_ground_state(open);
      EXPECT_NEAR(with.energies.total(), without.energies.total(), 1e-10) << functional;
      EXPECT_NEAR(with.magnetization[1], 0, 1e-6);
      for (std::size_t i = 0; i < 5; ++i)
        for (std::size_t spin = 0; spin < 2; ++spin)
          EXPECT_NEAR(with.eigenvalues[5 * spin + i], without.eigenvalues[i], 1e-8);
      for (std::size_t k = 0; k < 9; ++k) EXPECT_NEAR(with.stress[k], without.stress[k], 1e-8);
    }
}

/// A slope counts with the electrons of an orbital, so the estimate of what is above the end is
/// that of closed shells, and so is the iteration in which it is small enough.
TEST(SpinGroundState, EndsAsSoonAsClosedShells) {
  Job closed = gth_job();
  closed.ground_state.start = ab_initio::StartKind::atomic;
  closed.ground_state.tolerance = 1e-9;
  Job open = closed;
  open.electrons.spins = 2;
  open.electrons.bands = 10;
  open.electrons.bands_up = 5;
  open.moments.assign(open.positions.size(), 0);
  for (double tolerance = 1e-3; tolerance > 1e-10; tolerance /= 2) {
    closed.ground_state.energy_tolerance = open.ground_state.energy_tolerance = tolerance;
    EXPECT_EQ(find_ground_state(open).history.size(), find_ground_state(closed).history.size())
        << tolerance;
  }
}

TEST(SpinGroundState, MomentsAtTheStartLeadToAnAntiferromagnet) {
  Job job = converged(chain_job());
  const GroundState turns = find_ground_state(job);
  EXPECT_NEAR(turns.magnetization[0], 0, 1e-12);
  EXPECT_GT(turns.magnetization[1], 1);
  job.moments.assign(4, 0);
  const GroundState alike = find_ground_state(job);
  EXPECT_NEAR(alike.magnetization[1], 0, 1e-5);
  EXPECT_LT(turns.energies.total(), alike.energies.total() - 1e-3);
}

TEST(SpinGroundState, TheElectronOfAnAtomHasNoneOfTheOtherSpin) {
  Job job = spin_job();
  job.positions = {{0.1, 0.2, 0.3}};
  job.species_of = {1};
  job.masses = {1837};
  job.moments = {0.5};  // the free atom has some, which must not stay
  job.electrons.bands = job.electrons.bands_up = 1;
  job.writes_density = true;
  for (const std::string functional : {"PW92", "PBE", "BLYP", "GGA_X_PBE_SOL+GGA_C_PBE_SOL"})
    for (const auto start : {ab_initio::StartKind::atomic, ab_initio::StartKind::random}) {
      job.electrons.functional = functional;
      job.ground_state.start = start;
      const GroundState state = find_ground_state(job);
      EXPECT_TRUE(state.converged) << functional;
      EXPECT_EQ(state.eigenvalues.size(), 1U);
      EXPECT_EQ(state.spin_density, state.density);
      EXPECT_NEAR(state.magnetization[1], 1, 1e-12);
    }
}

TEST(SpinGroundState, HasTheForcesAndTheStressOfItsEnergy) {
  for (const std::string functional : {"PW92", "PBE", "BLYP"}) {
    const Job job = with_core(converged(spin_job(functional)));
    const GroundState state = find_ground_state(job);
    for (const auto& [ion, axis] : {std::pair{0, 0}, {1, 2}, {5, 1}}) {
      const auto energy = [&](double by) {
        Job moved = job;
        moved.positions[static_cast<std::size_t>(ion)][axis] += by;
        return find_ground_state(moved).energies.total();
      };
      EXPECT_NEAR(state.forces[static_cast<std::size_t>(ion)][axis], -slope(energy, 0.002), 1e-8)
          << functional << ", ion " << ion << ", axis " << axis;
    }
    // The strain keeps the indices of the waves: the cut-off is so that none comes in or leaves.
    for (const auto& [a, b] : {std::pair{0, 0}, {0, 2}}) {
      const auto energy = [&](double by) {
        return find_ground_state(strained(job, a, b, by)).energies.total();
      };
      EXPECT_NEAR(state.stress[static_cast<std::size_t>(3 * a + b)],
                  slope(energy, 1e-5) / job.cell.volume(), 1e-8)
          << functional << ", " << a << b;
    }
  }
}

}  // namespace
}  // namespace fg::test
