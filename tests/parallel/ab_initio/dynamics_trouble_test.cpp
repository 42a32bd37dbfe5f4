// SPDX-License-Identifier: BSD-3-Clause
//
// A dynamics that goes wrong says at which step, with which ion, and ends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>

#include "ab_initio/results/dynamics_limits.hpp"
#include "base/error.hpp"
#include "support/ab_initio/dynamics_runs.hpp"
#include "support/ab_initio/gth_jobs.hpp"

namespace fg::test {
namespace {

using ab_initio::DynamicsKind;
using ab_initio::DynamicsStep;
using ab_initio::Job;
using ab_initio::Orthonormality;
using testing::HasSubstr;

Job moving(DynamicsKind kind, double timestep = 4) {
  Job job = gth_job();
  job.division = {2, 2, 4};
  job.ground_state.start = ab_initio::StartKind::atomic;
  job.ground_state.tolerance = 1e-4;
  job.velocities.assign(job.positions.size(), {});
  job.velocities[3] = {1e-4, 0, 0};
  job.dynamics = {.kind = kind,
                  .timestep = timestep,
                  .steps = 2,
                  .fictitious_mass = 400,
                  .mass_cutoff = 1.5,
                  .constraint_tolerance = 1e-12,
                  .reset_above = 1e-3,
                  .predictor_order = 1};
  return job;
}

/// The error with which a run ends that goes on for ten steps after its job has been changed.
ErrorParts end_of(DynamicsRun& run, const std::function<void(Job&)>& change) {
  run.begin();
  change(run.job);
  run.job.dynamics.steps = 12;
  try {
    run.go_on();
  } catch (const NumericsError& error) {
    return error.parts();
  }
  ADD_FAILURE() << "it went on to its last step";
  return {};
}

TEST(DynamicsTrouble, AnIonThatIsNowhereIsNamedWithItsStep) {
  for (const auto kind : {DynamicsKind::car_parrinello, DynamicsKind::born_oppenheimer}) {
    DynamicsRun run(moving(kind), 2);
    const ErrorParts parts =
        end_of(run, [](Job& job) { job.masses[3] = std::numeric_limits<double>::quiet_NaN(); });
    EXPECT_EQ(parts.where, "step 3 of the dynamics, ion 4 (H)");
    EXPECT_EQ(run.steps.back().number, 2);
  }
}

TEST(DynamicsTrouble, AnIonThatFliesOffIsNamedWithItsStep) {
  for (const auto kind : {DynamicsKind::car_parrinello, DynamicsKind::born_oppenheimer}) {
    DynamicsRun run(moving(kind));
    // A force of a tenth on a thousandth of an electron mass, for half of a step of four.
    const ErrorParts parts = end_of(run, [](Job& job) { job.masses[5] = 1e-3; });
    EXPECT_THAT(parts.where, HasSubstr("of the dynamics, ion 6 (H)"));
    EXPECT_EQ(parts.limit, "0.5 bohr");
  }
}

TEST(DynamicsTrouble, AStepWhoseEnergyIsLostIsTheLastOne) {
  for (const auto kind : {DynamicsKind::car_parrinello, DynamicsKind::born_oppenheimer}) {
    DynamicsRun run(moving(kind));
    // Suddenly the ion has a million times the kinetic energy: 1e6 * 1837 * 1e-8 / 2 = 9 hartree.
    const ErrorParts parts = end_of(run, [](Job& job) { job.masses[3] *= 1e6; });
    EXPECT_EQ(parts.what, "the conserved energy is lost");
    EXPECT_EQ(parts.where, "step 3 of the dynamics");
    // Its row can be looked at.
    EXPECT_EQ(run.steps.back().number, 3);
    ASSERT_TRUE(run.steps.back().conserved_at_start);
    EXPECT_EQ(*run.steps.back().conserved_at_start, run.steps.front().conserved());
    EXPECT_GT(run.steps.back().conserved() - run.steps.front().conserved(),
              7 * ab_initio::most_change_of_energy);
  }
}

TEST(DynamicsTrouble, ConstraintsThatAreNotMetAreOfAStep) {
  DynamicsRun run(moving(DynamicsKind::car_parrinello), 3);
  // Far beyond the step that orbitals allow.
  const ErrorParts parts = end_of(run, [](Job& job) { job.dynamics.timestep = 3000; });
  EXPECT_THAT(parts.where, HasSubstr("step 3 of the dynamics"));
  EXPECT_THAT(parts.hint, HasSubstr("shorter time step"));
}

TEST(DynamicsTrouble, ASearchThatDoesNotEndIsOfAStepAndHasItsResidual) {
  DynamicsRun run(moving(DynamicsKind::born_oppenheimer, 20));
  const ErrorParts parts = end_of(run, [](Job& job) {
    job.ground_state.iterations = 0;
    job.ground_state.tolerance = 1e-12;
  });
  EXPECT_EQ(parts.what, "the orbitals did not converge");
  EXPECT_EQ(parts.where, "step 3 of the dynamics");
  EXPECT_THAT(parts.value, HasSubstr("hartree"));
}

TEST(DynamicsTrouble, ATimeStepThatTheOrbitalEnergiesRuleOutIsRefusedBeforeTheFirst) {
  Job job = moving(DynamicsKind::car_parrinello);
  // 2 / sqrt(2 * 1.5 / 400) = 23.1 by the kinetic energy alone; the lowest orbital lies below 0.
  job.dynamics.timestep = 30;
  DynamicsRun run(job);
  try {
    run.begin();
    FAIL() << "it went on";
  } catch (const NumericsError& error) {
    EXPECT_EQ(error.parts().where, "ground state of the start");
    EXPECT_THAT(error.parts().limit, HasSubstr("as the orbital energies give it"));
  }
  EXPECT_TRUE(run.steps.empty());
}

TEST(DynamicsTrouble, AStartBesideTheGroundStateIsKnownByItsResidual) {
  Job job = moving(DynamicsKind::car_parrinello);
  job.ground_state.tolerance = 0.02;
  DynamicsRun run(job);
  run.begin();
  EXPECT_EQ(run.steps.front().residual, run.end.residual());
  EXPECT_GT(run.steps.front().residual, 1e-4);
}

}  // namespace
}  // namespace fg::test
