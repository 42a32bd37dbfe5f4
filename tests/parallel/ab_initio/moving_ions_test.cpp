// SPDX-License-Identifier: BSD-3-Clause
//
// Car-Parrinello dynamics of orbitals and ions, from the ground state of a molecule out of its
// equilibrium: the conserved energy, with and without heat baths, the way back, and the same bits
// on any PEs and maps.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>

#include "support/ab_initio/dynamics_runs.hpp"
#include "support/ab_initio/gth_jobs.hpp"

namespace fg::test {
namespace {

using ab_initio::Job;
using ab_initio::Orthonormality;

Job moving(Job job, Orthonormality orthonormality, double timestep, std::int64_t steps) {
  job.ground_state.start = ab_initio::StartKind::atomic;
  job.ground_state.tolerance = 1e-6;
  job.dynamics = {.kind = ab_initio::DynamicsKind::car_parrinello,
                  .timestep = timestep,
                  .steps = steps,
                  .orthonormality = orthonormality,
                  .fictitious_mass = 300,
                  .mass_cutoff = 1.5,
                  .constraint_tolerance = 1e-12,
                  .reset_above = 1};
  return job;
}

Job with_baths(Job job) {
  auto& dynamics = job.dynamics;
  dynamics.ion_bath = {
      .kind = ab_initio::IonBathKind::nose_hoover, .temperature = 0.001, .time_constant = 500};
  dynamics.electron_bath = {
      .kind = ab_initio::ElectronBathKind::nose_hoover, .kinetic = 0.001, .time_constant = 200};
  return job;
}

TEST(MovingIons, AndOrbitalsConserveTheirEnergyToSecondOrder) {
  for (const bool spin : {false, true})
    for (const Orthonormality how : {Orthonormality::constrained, Orthonormality::free})
      for (const bool baths : {false, true}) {
        const auto of = [&](double timestep, std::int64_t steps) {
          const Job job = moving(spin ? spin_job("PBE") : gth_job(), how, timestep, steps);
          return steps_of(baths ? with_baths(job) : job);
        };
        const auto whole = of(8, 60), half = of(4, 120);
        const std::string what =
            std::to_string(spin) + std::to_string(static_cast<int>(how)) + std::to_string(baths);
        EXPECT_GT(fastest(half), 0.003) << what;
        EXPECT_LT(wandering(half), 0.01 * fastest(half)) << what;
        EXPECT_NEAR(wandering(whole) / wandering(half), 4, 1) << what;
      }
}

/// The job has all ways in which ions meet electrons: splines, cores, a molecule without images.
TEST(MovingIons, ConserveTheEnergyWithSplinesAndCores) {
  for (const auto method : {ab_initio::IonMethod::exact, ab_initio::IonMethod::splines}) {
    Job job = with_core(moving(gth_job("PBE"), Orthonormality::constrained, 6, 60));
    job.nonlocal.method = job.local.method = method;
    const auto steps = steps_of(job);
    EXPECT_GT(fastest(steps), 0.003);
    EXPECT_LT(wandering(steps), 0.02 * fastest(steps));
  }
}

TEST(MovingIons, GoBackTheWayTheyCame) {
  for (const Orthonormality how : {Orthonormality::constrained, Orthonormality::free}) {
    DynamicsRun run(moving(gth_job("PBE"), how, 6, 20));
    run.begin();
    const auto far = run.end.positions;
    run.job.dynamics.timestep = -6;
    run.job.dynamics.steps = 40;
    run.go_on();
    ASSERT_EQ(run.steps.size(), 41U);
    double moved = 0;
    for (std::size_t i = 0; i < far.size(); ++i) {
      moved = std::max(moved, norm(far[i] - run.job.positions[i]));
      // Roundings and the tolerance of the constraint, in 20 steps.
      EXPECT_LT(norm(run.end.positions[i] - run.job.positions[i]), 1e-9);
    }
    EXPECT_GT(moved, 0.01);
    EXPECT_NEAR(run.steps.front().energies.total(), run.steps.back().energies.total(), 1e-10);
  }
}

TEST(MovingIons, HaveTheSameBitsOnAnyPesAndMaps) {
  for (const Orthonormality how : {Orthonormality::constrained, Orthonormality::free})
    for (const ab_initio::DivisionSettings& division :
         {ab_initio::DivisionSettings{2, 2, 4}, {1, 1, 2, 3, 3}, {2, 2, 4, 1, 0, 2, 3}}) {
      Job job = with_baths(moving(spin_job("PBE"), how, 6, 5));
      job.division = division;
      expect_same_bits_on_any_pes_and_maps(job);
    }
}

TEST(MovingIons, AreInTheFramesThatAreDue) {
  Job job = moving(gth_job(), Orthonormality::constrained, 6, 5);
  job.dynamics.energy_steps = 0;
  job.dynamics.trajectory_steps = 2;
  DynamicsRun run(job);
  run.begin();
  ASSERT_EQ(run.steps.size(), 4U);  // 0, 2, 4 and the last
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(run.steps[i].number, static_cast<std::int64_t>(2 * i));
    EXPECT_EQ(run.steps[i].positions.size(), job.positions.size());
    EXPECT_EQ(run.steps[i].velocities.size(), job.positions.size());
    EXPECT_EQ(run.steps[i].forces.size(), job.positions.size());
  }
  EXPECT_TRUE(run.steps[3].positions.empty());
  EXPECT_EQ(run.steps[0].positions[1].x, job.positions[1].x);
  EXPECT_NE(run.steps[1].positions[1].x, job.positions[1].x);
}

}  // namespace
}  // namespace fg::test
