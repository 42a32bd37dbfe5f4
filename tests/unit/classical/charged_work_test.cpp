// SPDX-License-Identifier: BSD-3-Clause
//
// What the objects of a run charge a simulated machine for in a step is what was estimated. The
// sources of the objects are part of this program, and compiled so that charges are counted.
#include <gtest/gtest.h>

#include <array>

#include "classical/division/work_estimate.hpp"
#include "classical/machinery.hpp"
#include "forces/costs/charge_work.hpp"
#include "support/classical/water_job.hpp"

namespace fg::test {
namespace {

using namespace fg::classical;

using Sums = std::array<double, kinds_of_work.size()>;

constexpr WaterJobOptions water{.per_axis = 12, .patches = {3, 3, 3}, .pair_computes = 3};

Sums estimated(const Job& job) {
  const System system(job);
  const WorkEstimate work =
      estimate_work(system, system.grid(), job.atoms.position, ForceParts::all);
  Sums sums{};
  const auto add = [&](const std::vector<ObjectWork>& objects) {
    for (const ObjectWork& object : objects)
      for (std::size_t kind = 0; kind < sums.size(); ++kind)
        sums[kind] += static_cast<double>(object.counts[kind]) /
                      static_cast<double>(object.interval_of(kind));
  };
  for (const auto* objects : {&work.patches, &work.pairs, &work.spreaders, &work.z_pencils,
                              &work.other_pencils, &work.other_pencils})  // along y and along x
    add(*objects);
  for (const ObjectWork& object : work.bonded)  // those without terms rest between rebuilds
    if (object.counts[of_bonded_term] > 0) add({object});
  return sums;
}

/// What is charged in one step, on one PE.
Sums charged_in_run(const Job& job) {
  const System system(job);
  State state = state_of_job(job);
  prepare_for_dynamics(system, state);
  OutputQueue output;
  const auto machinery = make_machinery(system, {.pes = 1, .pin = false}, output);
  const auto run = [&](std::int64_t steps) {
    charged = {};
    machinery->run(Schedule(job.settings, job.dynamics, 0, steps), state);
    output.take(std::chrono::milliseconds(0));
    return charged;
  };
  const Sums shorter = run(10);
  Sums of_step = run(30);
  for (std::size_t kind = 0; kind < of_step.size(); ++kind)
    of_step[kind] = (of_step[kind] - shorter[kind]) / 20;
  return of_step;
}

void expect_estimated(const WaterJobOptions& options) {
  Job job = water_job(options);
  job.settings.rebuild_interval = 40;  // none between the steps that are counted
  job.settings.prune_interval = 20;
  job.dynamics.com_interval = 0;
  const Sums estimate = estimated(job), found = charged_in_run(job);
  for (std::size_t kind = 0; kind < kinds_of_work.size(); ++kind) {
    // Pairs are estimated by cells, as near as in pair_counts_test.cpp, and lists as in
    // list_work_test.cpp; all else is counted, and sums of shares are rounded.
    double tolerance = 1e-9;
    if (kind == of_pair) tolerance = 0.05;
    if (kind == of_list_row || kind == of_list_patch) tolerance = 0.25;
    if (kind == of_midpoint_atom) tolerance = 0.01;  // whole numbers of atoms for each cell
    if (kind == of_midpoint_atom && options.pairs == PairAssignment::half_shell)
      EXPECT_EQ(estimate[kind], 0);
    else
      EXPECT_GT(estimate[kind], 0) << kinds_of_work[kind];
    EXPECT_NEAR(found[kind], estimate[kind], tolerance * estimate[kind]) << kinds_of_work[kind];
  }
}

TEST(ChargedWork, OfAStepIsWhatWasEstimated) {
  expect_estimated(water);
}

TEST(ChargedWork, IsThatOfASlabToo) {
  WaterJobOptions slab = water;
  slab.slab = true;
  expect_estimated(slab);
}

TEST(ChargedWork, OfMidpointCellsIsWhatWasEstimated) {
  WaterJobOptions midpoints = water;
  midpoints.pairs = PairAssignment::midpoint;
  midpoints.pair_computes = 1;
  expect_estimated(midpoints);
}

TEST(ChargedWork, OfAMeshOnEverySecondStepIsHalf) {
  WaterJobOptions second = water;
  second.long_range_interval = 2;
  expect_estimated(second);
}

TEST(ChargedWork, OfPairsOnEverySecondStepIsHalf) {
  WaterJobOptions second = water;
  second.pair_interval = second.long_range_interval = 2;
  expect_estimated(second);
}

TEST(ChargedWork, InDoublePrecisionHasTheSameCounts) {
  WaterJobOptions twice = water;
  twice.precision = Precision::double_precision;
  expect_estimated(twice);
}

}  // namespace
}  // namespace fg::test
