// SPDX-License-Identifier: BSD-3-Clause
//
// Born-Oppenheimer dynamics of a molecule out of its equilibrium: the conserved energy, what the
// prediction of orbitals saves, the forces of a step, the same bits on any PEs and maps.
#include <gtest/gtest.h>

#include <cstddef>
#include <string>

#include "base/error.hpp"
#include "support/ab_initio/dynamics_runs.hpp"
#include "support/ab_initio/ground_states.hpp"
#include "support/ab_initio/gth_jobs.hpp"

namespace fg::test {
namespace {

using ab_initio::DynamicsStep;
using ab_initio::Job;

Job moving(Job job, double timestep, std::int64_t steps, int predictor_order = 1) {
  job.ground_state.start = ab_initio::StartKind::atomic;
  job.ground_state.tolerance = 1e-6;
  job.dynamics = {.kind = ab_initio::DynamicsKind::born_oppenheimer,
                  .timestep = timestep,
                  .steps = steps,
                  .predictor_order = predictor_order};
  return job;
}

TEST(BornOppenheimer, ConservesTheEnergyToSecondOrderOfTheTimeStep) {
  for (const bool spin : {false, true}) {
    const Job job = spin ? spin_job() : gth_job();
    const auto whole = steps_of(moving(job, 24, 25)), half = steps_of(moving(job, 12, 50));
    ASSERT_EQ(half.size(), 51U);
    EXPECT_GT(fastest(half), 0.003);
    EXPECT_LT(wandering(half), 0.03 * fastest(half));
    // Four, but for the sampling of its swings.
    EXPECT_NEAR(wandering(whole) / wandering(half), 4, 1) << spin;
    for (const DynamicsStep& one : half) {
      EXPECT_LE(one.residual, 1e-6);
      EXPECT_EQ(one.fictitious_kinetic, 0);
    }
  }
}

TEST(BornOppenheimer, NeedsFewerIterationsFromAPrediction) {
  const auto iterations = [](int order) {
    int sum = 0;
    for (const DynamicsStep& one : steps_of(moving(gth_job(), 12, 20, order)))
      if (one.number > 4) sum += one.iterations;  // when there are steps to predict from
    return sum;
  };
  const int from_the_last = iterations(-1), predicted = iterations(2);
  EXPECT_GT(predicted, 0);
  EXPECT_LT(predicted, 0.75 * from_the_last) << from_the_last;
}

TEST(BornOppenheimer, EndsWithTheGroundStateOfItsLastPositions) {
  DynamicsRun run(moving(gth_job("PBE"), 20, 6, 2));
  run.begin();
  Job there = gth_job("PBE");
  there.positions = run.end.positions;
  there.ground_state.tolerance = 1e-6;
  const ab_initio::GroundState alone = find_ground_state(there);
  // The energy has an error of second order in the residual, and forces one of first order.
  EXPECT_NEAR(run.end.energies.total(), alone.energies.total(), 1e-9);
  for (std::size_t i = 0; i < alone.forces.size(); ++i)
    EXPECT_LT(norm(run.end.forces[i] - alone.forces[i]), 1e-4) << i;
}

TEST(BornOppenheimer, HasTheSameBitsOnAnyPesAndMaps) {
  for (const ab_initio::DivisionSettings& division :
       {ab_initio::DivisionSettings{2, 2, 4}, {1, 1, 2, 3, 3}}) {
    Job job = moving(spin_job("PBE"), 20, 3);
    job.ground_state.tolerance = 1e-3;
    job.division = division;
    expect_same_bits_on_any_pes_and_maps(job);
  }
}

TEST(BornOppenheimer, SaysAtWhichStepASearchDidNotEnd) {
  DynamicsRun run(moving(gth_job(), 12, 0));
  run.begin();
  run.job.dynamics.steps = 3;
  run.job.ground_state.iterations = 1;
  try {
    run.go_on();
    FAIL() << "it went on";
  } catch (const NumericsError& error) {
    EXPECT_NE(std::string(error.what()).find("step 1 of the dynamics"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace fg::test
