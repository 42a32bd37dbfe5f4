// SPDX-License-Identifier: BSD-3-Clause
//
// Ground states with the nonlocal part, the local one or both by splines: the same bits on any PEs
// and maps, the same energy for any division, forces and stress of its own energy, and the exact
// energy with rising order.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "support/ab_initio/ground_states.hpp"
#include "support/ab_initio/gth_jobs.hpp"
#include "support/expect_refused.hpp"

namespace fg::test {
namespace {

using ab_initio::DivisionSettings;
using ab_initio::GroundState;
using ab_initio::IonMethod;
using ab_initio::Job;

enum class Which { nonlocal, local, both };

Job spline_job(int order, double tolerance = 1e-8, Which which = Which::nonlocal) {
  Job job = gth_job("PBE");
  // A made-up core of silicon, so smooth that no density is negative.
  job.species[0].core = job.species[0].local;
  for (std::size_t i = 0; i < job.species[0].core.size(); ++i) {
    const double g = static_cast<double>(i) * job.table_spacing;
    job.species[0].core[i] = 2 * std::exp(-0.7 * g * g);
  }
  if (which != Which::local) job.nonlocal.method = IonMethod::splines;
  if (which != Which::nonlocal) job.local.method = IonMethod::splines;
  job.nonlocal.order = job.local.order = order;
  job.ground_state.tolerance = tolerance;
  return job;
}

TEST(Splines, GiveTheSameBitsOnAnyPesAndMaps) {
  // With 18 parts, four of them have no plane of the grid of splines.
  for (const DivisionSettings& division : {DivisionSettings{5, 1, 1},
                                           {2, 1, 3},
                                           {1, 2, 2},
                                           {2, 3, 6},
                                           {3, 18, 18},
                                           {2, 2, 4, 1, 0, 1, 5}}) {
    Job job = spline_job(6, 1e-8, Which::both);
    job.division = division;
    job.ground_state.iterations = 5;
    job.ground_state.start =
        division.wave_parts == 1 ? ab_initio::StartKind::atomic : ab_initio::StartKind::random;
    const std::string digest = find_ground_state(job).digest;
    EXPECT_EQ(digest.size(), 64U);
    for (const int pes : {2, 3, 4, 8})
      for (const char* map : {"block", "hashed"})
        EXPECT_EQ(find_ground_state(job, pes, map).digest, digest)
            << division.state_grain << " " << division.wave_parts << ", " << pes << " " << map;
  }
}

TEST(Splines, GiveTheSameEnergyForAnyDivisionIntoObjects) {
  const GroundState whole = find_ground_state(spline_job(8, 1e-8, Which::both));
  for (const DivisionSettings& division : {DivisionSettings{1, 1, 1},
                                           {3, 2, 4},
                                           {2, 5, 15},
                                           {4, 18, 18},
                                           {3, 1, 3, 1, 0, 1, 7},
                                           {5, 1, 18, 1, 0, 1, 18}}) {
    Job job = spline_job(8, 1e-8, Which::both);
    job.division = division;
    const GroundState state = find_ground_state(job, 2);
    EXPECT_TRUE(state.converged);
    EXPECT_NEAR(state.energies.total(), whole.energies.total(), 1e-11);
    // The forces have errors of first order in the residual, 1e-8.
    for (std::size_t i = 0; i < state.forces.size(); ++i)
      for (int axis = 0; axis < 3; ++axis)
        EXPECT_NEAR(state.forces[i][axis], whole.forces[i][axis], 1e-6);
    for (std::size_t i = 0; i < state.stress.size(); ++i)
      EXPECT_NEAR(state.stress[i], whole.stress[i], 1e-8);
  }
}

TEST(Splines, GiveTheExactEnergyWithRisingOrder) {
  Job exact_job = spline_job(8, 1e-8);
  exact_job.nonlocal.method = IonMethod::exact;
  const GroundState exact = find_ground_state(exact_job);
  for (const Which which : {Which::nonlocal, Which::local}) {
    double last = 1;
    for (const int order : {4, 6, 8, 10}) {
      const GroundState state = find_ground_state(spline_job(order, 1e-8, which));
      EXPECT_TRUE(state.converged);
      const double error = std::abs(state.energies.total() - exact.energies.total());
      // Waves of orbitals with |k| / N up to 4 / 14 have aliases at 10 / 14, those of the density
      // with 8 / 25 at 17 / 25: errors of the shortest ones fall by (10 / 4)^2 and (17 / 8)^2.
      EXPECT_LT(error, last / 2) << order << (which == Which::local ? " local" : " nonlocal");
      last = error;
    }
    // 2 (4.5 / 9.5)^10 = 1e-3 of the products of the shortest waves, which are 1e-2 of a hartree.
    EXPECT_LT(last, 1e-5);
  }
}

TEST(Splines, HaveTheForcesAndTheStressOfTheirEnergy) {
  Job job = spline_job(8, 1e-10, Which::both);
  job.division = {2, 2, 2};
  const GroundState state = find_ground_state(job, 2);
  for (const auto& [ion, axis] : {std::pair{0, 0}, {0, 1}, {0, 2}, {1, 2}}) {
    const double energy_slope = slope(
        [&](double by) {
          Job moved = job;
          moved.positions[static_cast<std::size_t>(ion)][axis] += by;
          return find_ground_state(moved).energies.total();
        },
        0.002);
    // As for the exact part: rounding of the energy over the step.
    EXPECT_NEAR(state.forces[static_cast<std::size_t>(ion)][axis], -energy_slope, 1e-8);
  }
  // The strain keeps the indices of the waves: the cut-off is so that none comes in or leaves.
  for (const auto& [a, b] : {std::pair{1, 1}, {0, 2}}) {
    const double energy_slope = slope(
        [&](double by) { return find_ground_state(strained(job, a, b, by)).energies.total(); },
        1e-5);
    EXPECT_NEAR(state.stress[static_cast<std::size_t>(3 * a + b)], energy_slope / job.cell.volume(),
                1e-8);
  }
}

TEST(Splines, RefuseAGridThatIsTooSmall) {
  Job job = spline_job(8);
  job.nonlocal = {IonMethod::splines, 4, {8, 14, 14}};  // the largest index along x is 4
  expect_refused<InputError>([&] { find_ground_state(job); }, "too large for the grid");
  job.nonlocal = {IonMethod::splines, 10, {14, 9, 14}};
  expect_refused<InputError>([&] { find_ground_state(job); }, "fewer points than their order");
  job = spline_job(8, 1e-8, Which::local);
  job.local.grid = {25, 16, 25};  // the largest index along y is 7
  EXPECT_TRUE(find_ground_state(job).converged);
  job.local.grid = {25, 14, 25};
  expect_refused<InputError>([&] { find_ground_state(job); }, "too large for the grid");
}

}  // namespace
}  // namespace fg::test
