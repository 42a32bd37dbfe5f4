// SPDX-License-Identifier: BSD-3-Clause
//
// Dynamics of ions with distances that stay: they do, the energy is conserved to second order, the
// way back is the way there, bits are the same on any PEs and maps, and the force of a constraint
// is the slope of the energy; what a job must not ask for.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "ab_initio/job/ion_distances.hpp"
#include "base/error.hpp"
#include "electrons/waves/nearest_image.hpp"
#include "support/ab_initio/dynamics_runs.hpp"
#include "support/ab_initio/ground_states.hpp"
#include "support/ab_initio/gth_jobs.hpp"
#include "support/expect_refused.hpp"

namespace fg::test {
namespace {

using ab_initio::DynamicsKind;
using ab_initio::IonBathKind;
using ab_initio::Job;

double distance(const Job& job, const std::vector<Vec3>& positions, const IonDistance& one) {
  const electrons::NearestImage nearest(job.cell);
  return norm(nearest(positions[static_cast<std::size_t>(one.b)] -
                      positions[static_cast<std::size_t>(one.a)]));
}

/// All bonds of the silane, and that of the hydrogen molecule, which lies across a face of the
/// cell.
Job rigid(DynamicsKind kind, double timestep, std::int64_t steps) {
  Job job = gth_job();
  job.positions[6] += job.cell.vectors[2];
  job.ground_state.start = ab_initio::StartKind::atomic;
  job.ground_state.tolerance = kind == DynamicsKind::born_oppenheimer ? 1e-6 : 1e-7;
  job.dynamics = {.kind = kind,
                  .timestep = timestep,
                  .steps = steps,
                  .seed = 3,
                  .fictitious_mass = 300,
                  .mass_cutoff = 1.5,
                  .constraint_tolerance = 1e-12,
                  .predictor_order = 1,
                  .trajectory_steps = 1};
  for (int h = 1; h < 5; ++h) job.dynamics.distances.push_back({0, h, 0});
  job.dynamics.distances.push_back({6, 5, 0});
  for (IonDistance& one : job.dynamics.distances) one.distance = distance(job, job.positions, one);
  return job;
}

TEST(KeptDistances, StayAndTheEnergyIsConservedToSecondOrder) {
  for (const auto& [kind, timestep] :
       {std::pair{DynamicsKind::born_oppenheimer, 24.0}, {DynamicsKind::car_parrinello, 8.0}}) {
    const Job job = rigid(kind, timestep, 24), finer = rigid(kind, timestep / 2, 48);
    const auto whole = steps_of(job), half = steps_of(finer);
    ASSERT_EQ(half.size(), 49U);
    EXPECT_GT(fastest(half), 1e-4);
    for (const auto& step : half)
      for (const IonDistance& one : job.dynamics.distances)
        EXPECT_NEAR(distance(job, step.positions, one) / one.distance, 1, 1e-11) << step.number;
    // Four, but for the sampling of its swings.
    EXPECT_NEAR(wandering(whole) / wandering(half), 4, 1) << static_cast<int>(kind);
  }
}

TEST(KeptDistances, GoBackTheWayTheyCame) {
  DynamicsRun run(rigid(DynamicsKind::car_parrinello, 6, 20));
  run.begin();
  run.job.dynamics.timestep = -6;
  run.job.dynamics.steps = 40;
  run.go_on();
  ASSERT_EQ(run.steps.size(), 41U);
  EXPECT_GT(norm(run.steps[20].positions[1] - run.steps[0].positions[1]), 1e-3);
  for (std::size_t n = 0; n < 20; ++n)
    for (std::size_t i = 0; i < run.job.positions.size(); ++i)
      // Roundings and tolerances, in 20 steps.
      EXPECT_LT(norm(run.steps[n].positions[i] - run.steps[40 - n].positions[i]), 1e-9) << n;
}

TEST(KeptDistances, HaveTheSameBitsOnAnyPesAndMaps) {
  Job job = rigid(DynamicsKind::car_parrinello, 6, 4);
  job.division = {2, 2, 4};
  job.ground_state.tolerance = 1e-3;
  job.dynamics.ion_bath = {
      .kind = IonBathKind::langevin, .temperature = 0.001, .time_constant = 500};
  expect_same_bits_on_any_pes_and_maps(job);
}

/// Each bath keeps the distances too, and its conserved energy.
TEST(KeptDistances, AgreeWithEachBath) {
  for (const IonBathKind kind :
       {IonBathKind::nose_hoover, IonBathKind::rescaling, IonBathKind::langevin}) {
    const auto with_bath = [&](double timestep, std::int64_t steps) {
      Job job = rigid(DynamicsKind::car_parrinello, timestep, steps);
      job.dynamics.ion_bath = {.kind = kind, .temperature = 0.002, .time_constant = 400};
      return job;
    };
    const Job job = with_bath(4, 60);
    const auto steps = steps_of(job);
    for (const IonDistance& one : job.dynamics.distances)
      EXPECT_NEAR(distance(job, steps.back().positions, one) / one.distance, 1, 1e-11);
    EXPECT_GT(std::abs(steps.back().bath), 1e-5);
    EXPECT_LT(wandering(steps), 0.1 * std::abs(steps.back().bath) + 2e-5) << static_cast<int>(kind);
  }
}

TEST(KeptDistances, HaveTheForceThatIsTheSlopeOfTheEnergy) {
  Job job = rigid(DynamicsKind::born_oppenheimer, 20, 0);
  // Two ions alone, of unlike masses: their force is the whole one.
  job.positions = {{0.2, 0.1, 0.4}, {1.2, 1.4, 1.7}};
  job.species_of = {1, 1};
  job.masses = {1837, 3670};
  job.electrons.bands = 1;
  job.ground_state.tolerance = 1e-8;
  job.dynamics.distances = {{0, 1, 0}};
  job.dynamics.distances[0].distance = distance(job, job.positions, job.dynamics.distances[0]);
  const auto steps = steps_of(job);
  ASSERT_EQ(steps.size(), 1U);
  ASSERT_EQ(steps[0].constraint_forces.size(), 1U);
  const Vec3 way = job.positions[1] - job.positions[0];
  const Vec3 direction = way * (1 / norm(way));
  Job alone = job;
  alone.dynamics = {};
  const double expected = slope(
      [&](double longer) {
        Job there = alone;
        // The masses decide how much of it each ion gets; forces add up to nothing but for a
        // cutoff.
        there.positions[0] -= direction * (longer * 2 / 3);
        there.positions[1] += direction * (longer / 3);
        return find_ground_state(there).energies.total();
      },
      0.02);
  EXPECT_GT(std::abs(expected), 0.01);
  EXPECT_NEAR(steps[0].constraint_forces[0], expected, 1e-6);
}

TEST(KeptDistances, LeaveFewerDegreesOfFreedomToTheTemperature) {
  Job job = rigid(DynamicsKind::born_oppenheimer, 20, 2);
  const auto last = steps_of(job).back();
  EXPECT_NEAR(last.temperature, 2 * last.ion_kinetic / (3 * 7 - 3 - 5), 1e-15);
}

TEST(KeptDistances, AreRefusedWhereTheyMakeNoSense) {
  const auto refuses = [](const std::string& words, const std::function<void(Job&)>& change) {
    Job job = rigid(DynamicsKind::born_oppenheimer, 20, 1);
    change(job);
    try {
      ab_initio::make_ion_constraints(job);
      ADD_FAILURE() << words;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
  };
  EXPECT_EQ(ab_initio::make_ion_constraints(rigid(DynamicsKind::car_parrinello, 1, 1)).count(), 5);
  auto distances = [](Job& job) -> auto& { return job.dynamics.distances; };
  refuses("does not exist", [&](Job& job) { distances(job)[0].b = 7; });
  refuses("does not exist", [&](Job& job) { distances(job)[0].a = -1; });
  refuses("with itself", [&](Job& job) { distances(job)[0].b = 0; });
  refuses("there twice", [&](Job& job) { distances(job)[1].b = 1; });
  refuses("not above 0", [&](Job& job) { distances(job)[2].distance = 0; });
  refuses("the cell moves", [&](Job& job) { job.dynamics.cell.moves = MovingCell::full; });
  refuses("half of the cell", [&](Job& job) { distances(job)[2].distance = 4.7; });
  refuses("do not have the distance", [&](Job& job) { distances(job)[2].distance *= 1.001; });
  refuses("depend on each other", [&](Job& job) {
    job.positions[2] = job.positions[0] - (job.positions[1] - job.positions[0]);
    distances(job) = {{0, 1, 0}, {0, 2, 0}, {1, 2, 0}};
    // Half of the cell is between them: a shorter molecule.
    for (const int i : {1, 2})
      job.positions[i] = job.positions[0] + (job.positions[i] - job.positions[0]) * 0.5;
    for (IonDistance& one : distances(job)) one.distance = distance(job, job.positions, one);
  });
  refuses("through the cell", [&](Job& job) {
    const Vec3 third = job.cell.vectors[0] * (1.0 / 3);
    job.positions[1] = job.positions[0] + third;
    job.positions[2] = job.positions[1] + third;
    distances(job) = {{0, 1, 0}, {1, 2, 0}, {2, 0, 0}};
    for (IonDistance& one : distances(job)) one.distance = distance(job, job.positions, one);
  });
}

}  // namespace
}  // namespace fg::test
