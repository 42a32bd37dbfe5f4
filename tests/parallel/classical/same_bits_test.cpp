// SPDX-License-Identifier: BSD-3-Clause
//
// The same trajectory for any number of PEs and any map, also when the run is stopped and restarted
// half way. Compared bit by bit on a small box that has every kind of object.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "classical/division/box_division.hpp"
#include "classical/machinery.hpp"
#include "support/classical/frames.hpp"
#include "support/classical/water_job.hpp"
#include "support/effort.hpp"

namespace fg::test {
namespace {

using namespace fg::classical;

constexpr std::int64_t steps = 60;

std::string digest_of_run(const Job& job, int pes, const std::string& map, std::size_t trace = 0) {
  const System system(job);
  OutputQueue output;
  const auto machinery = make_machinery(
      system, {.pes = pes, .map = map, .pin = false, .profile = false, .trace = trace}, output);
  State state = state_of_job(job);
  prepare_for_dynamics(system, state);
  machinery->run(Schedule(job.settings, job.dynamics, 0, steps), state);
  return digest(last_frame(output, FramePurpose::last));
}

/// Stops at a rebuild and continues with other objects on other PEs.
std::string digest_of_restarted_run(const Job& job, int pes_before, int pes_after,
                                    std::int64_t stop = 30,
                                    const std::string& map_after = "hashed") {
  const System system(job);
  State state = state_of_job(job);
  prepare_for_dynamics(system, state);
  Frame stopped;
  {
    OutputQueue output;
    const auto machinery = make_machinery(system, {.pes = pes_before, .profile = false}, output);
    Schedule schedule(job.settings, job.dynamics, 0, steps);
    schedule.stop_after(stop - 5);
    machinery->run(schedule, state);
    stopped = last_frame(output, FramePurpose::checkpoint);
  }
  const int rebuild = job.settings.rebuild_interval;
  EXPECT_EQ(stopped.step, (stop + rebuild - 1) / rebuild * rebuild);
  state = state_after(stopped, job);
  OutputQueue output;
  const auto machinery =
      make_machinery(system, {.pes = pes_after, .map = map_after, .profile = false}, output);
  machinery->run(Schedule(job.settings, job.dynamics, state.step, steps), state);
  return digest(last_frame(output, FramePurpose::last));
}

struct Case {
  const char* name;
  WaterJobOptions options;
};

class SameBits : public ::testing::TestWithParam<Case> {};

TEST_P(SameBits, OnAnyPesUnderAnyMapAfterAnyRestart) {
  const Job job = water_job(GetParam().options);
  const std::string one = digest_of_run(job, 1, "block");
  EXPECT_EQ(digest_of_run(job, 4, "hashed", 1000), one) << "with a trace";
  EXPECT_EQ(digest_of_restarted_run(job, 2, 3), one);
  if (watches_threads) return;
  EXPECT_EQ(digest_of_run(job, 2, "block", 1000), one) << "with a trace";
  EXPECT_EQ(digest_of_run(job, 2, "block"), one);
  EXPECT_EQ(digest_of_run(job, 4, "mesh-1"), one);
  for (const int pes : {2, 3, 8}) EXPECT_EQ(digest_of_run(job, pes, "cost"), one) << pes;
  EXPECT_EQ(digest_of_run(job, 3, "round-robin"), one);
  EXPECT_EQ(digest_of_run(job, 3, "cost,pairs=hashed,x-pencils=round-robin"), one);
  EXPECT_EQ(digest_of_restarted_run(job, 4, 1), one);
  EXPECT_EQ(digest_of_restarted_run(job, 1, 2, 20), one);
  EXPECT_EQ(digest_of_restarted_run(job, 2, 3, 30, "cost"), one);
}

TEST_P(SameBits, WhileObjectsMove) {
  const Job job = water_job(GetParam().options);
  const System system(job);
  const std::string one = digest_of_run(job, 1, "block");
  State state = state_of_job(job);
  prepare_for_dynamics(system, state);
  for (const char* const balancer :
       few_with_watch(1, {"random", "greedy", "refine", "bisection"})) {
    OutputQueue output;
    const auto machinery = make_machinery(
        system, {.pes = 3, .balance = balancer, .balance_steps = 1, .pin = false, .profile = true},
        output);
    machinery->run(Schedule(job.settings, job.dynamics, 0, steps), state);
    EXPECT_EQ(digest(last_frame(output, FramePurpose::last)), one) << balancer;
    EXPECT_EQ(machinery->profile().pes.size(), 3u);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Jobs, SameBits,
    ::testing::Values(
        Case{"MixedVerlet", {}}, Case{"DoubleVerlet", {.precision = Precision::double_precision}},
        Case{"MixedLangevin", {.integrator = IntegratorKind::langevin}},
        Case{"DoubleLangevin",
             {.precision = Precision::double_precision, .integrator = IntegratorKind::langevin}},
        Case{"VirtualSites", {.sites = true}}, Case{"Restraints", {.restraints = true}},
        Case{"ThreePairComputes", {.pair_computes = 3}},
        Case{"VirtualSitesLangevin", {.integrator = IntegratorKind::langevin, .sites = true}},
        Case{"Tilted", {.tilted = true}},
        Case{"TiltedVirtualSitesLangevin",
             {.integrator = IntegratorKind::langevin, .sites = true, .tilted = true}},
        Case{"VelocityRescaling", {.rescaling = true}},
        Case{"StochasticRescalingLangevin",
             {.integrator = IntegratorKind::langevin,
              .restraints = true,
              .barostat = BarostatKind::stochastic_rescaling}},
        Case{"PistonVelocityRescaling",
             {.rescaling = true, .barostat = BarostatKind::langevin_piston}},
        Case{"AnisotropicTilted",
             {.sites = true,
              .tilted = true,
              .rescaling = true,
              .barostat = BarostatKind::stochastic_rescaling,
              .coupling = BoxCoupling::anisotropic}},
        Case{"OnePatchSemiIsotropic",
             {.patches = {1, 1, 1},
              .pair_computes = 1,
              .barostat = BarostatKind::stochastic_rescaling,
              .coupling = BoxCoupling::semi_isotropic}},
        Case{"OnePatch", {.patches = {1, 1, 1}}},
        Case{"FlatPatches", {.patches = {1, 2, 1}, .pair_computes = 4}},
        Case{"Compressed", {.patches = {3, 3, 3}, .pair_computes = 2, .compressed = true}},
        Case{"CompressedDoubleLangevin",
             {.patches = {3, 3, 3},
              .precision = Precision::double_precision,
              .integrator = IntegratorKind::langevin,
              .compressed = true}},
        Case{"VolumeTrials", {.integrator = IntegratorKind::langevin, .trials = true}},
        Case{"VolumeTrialsVerletSites", {.sites = true, .trials = true}},
        Case{"Impulses", {.restraints = true, .long_range_interval = 2}},
        Case{"ImpulsesDoubleLangevinSites",
             {.precision = Precision::double_precision,
              .integrator = IntegratorKind::langevin,
              .sites = true,
              .long_range_interval = 2}},
        Case{"ImpulsesPistonVelocityRescaling",
             {.rescaling = true,
              .long_range_interval = 2,
              .barostat = BarostatKind::langevin_piston}},
        Case{"ImpulsesStochasticRescalingTilted",
             {.integrator = IntegratorKind::langevin,
              .tilted = true,
              .long_range_interval = 2,
              .barostat = BarostatKind::stochastic_rescaling}},
        Case{"ImpulsesCompressed",
             {.patches = {3, 3, 3},
              .pair_computes = 2,
              .compressed = true,
              .long_range_interval = 2}},
        Case{"ImpulsesVolumeTrials", {.trials = true, .long_range_interval = 2}},
        Case{"Levels", {.restraints = true, .pair_interval = 2, .long_range_interval = 4}},
        Case{"LevelsDoubleLangevinSites",
             {.precision = Precision::double_precision,
              .integrator = IntegratorKind::langevin,
              .sites = true,
              .pair_interval = 2,
              .long_range_interval = 2}},
        Case{"LevelsPistonVelocityRescaling",
             {.rescaling = true,
              .pair_interval = 2,
              .long_range_interval = 4,
              .barostat = BarostatKind::langevin_piston}},
        Case{"LevelsCompressed",
             {.patches = {3, 3, 3},
              .pair_computes = 2,
              .compressed = true,
              .pair_interval = 2,
              .long_range_interval = 2}},
        Case{"LevelsVolumeTrials", {.trials = true, .pair_interval = 2, .long_range_interval = 4}},
        Case{"Slab", {.per_axis = 12, .patches = {3, 3, 3}, .pair_computes = 3, .slab = true}},
        Case{"SlabRescaling",
             {.per_axis = 12,
              .patches = {3, 3, 3},
              .pair_computes = 2,
              .rescaling = true,
              .slab = true,
              .barostat = BarostatKind::stochastic_rescaling}},
        Case{"ThreePatchesPerAxis", {.per_axis = 12, .patches = {3, 3, 3}}},
        Case{"OnePairCompute", {.per_axis = 12, .patches = {3, 3, 3}, .pair_computes = 1}}),
    [](const auto& info) { return info.param.name; });

/// Only the order of sums differs. A pair at the cutoff moves its atoms by some 1e-6 bohr in 10
/// steps.
TEST(PairComputes, AreAllPairsHoweverManyTheyAre) {
  const auto positions = [](std::array<int, 3> patches, int computes) {
    const Job job = water_job({.per_axis = patches[0] == 3 ? 12 : 8,
                               .patches = {patches[0], patches[1], patches[2]},
                               .pair_computes = computes,
                               .precision = Precision::double_precision});
    const System system(job);
    OutputQueue output;
    const auto machinery = make_machinery(system, {.pes = 2, .profile = false}, output);
    State state = state_of_job(job);
    prepare_for_dynamics(system, state);
    machinery->run(Schedule(job.settings, job.dynamics, 0, 10), state);
    return last_frame(output, FramePurpose::last).position;
  };
  for (const std::array<int, 3> patches : {std::array{3, 3, 3}, std::array{1, 2, 1}}) {
    const auto finest = positions(patches, 14);
    for (const int computes : {1, 2, 3, 6, 13}) {
      const auto found = positions(patches, computes);
      double largest = 0;
      for (std::size_t atom = 0; atom < finest.size(); ++atom)
        largest = std::max(largest, norm(found[atom] - finest[atom]));
      EXPECT_LT(largest, 1e-9) << computes;
    }
  }
}

/// The box gets so small that there are fewer patches, and later new frames for the mesh.
TEST(SameBitsOverCuts, AfterARestartBeforeAtAndAfterEachCut) {
  const Job job = water_job({.patches = {3, 3, 3}, .compressed = true});
  const System system(job);
  OutputQueue output;
  const auto machinery = make_machinery(system, {.pes = 2, .profile = false}, output);
  State state = state_of_job(job);
  prepare_for_dynamics(system, state);
  machinery->run(Schedule(job.settings, job.dynamics, 0, steps), state);
  std::vector<std::int64_t> divided_at;
  BoxDivision division = first_division(job);
  Frame last;
  for (auto& item : output.take(std::chrono::milliseconds(0)))
    if (auto* frame = std::get_if<Frame>(&item)) {
      if (frame->bath.division != division) divided_at.push_back(frame->step);
      division = frame->bath.division;
      last = std::move(*frame);
    }
  EXPECT_EQ(last.step, steps);
  EXPECT_GE(divided_at.size(), 2u);
  EXPECT_LT(division.patches.x, 3);
  for (std::int64_t stop = 10; stop < steps; stop += 10)
    EXPECT_EQ(digest_of_restarted_run(job, 1, 2, stop), digest(last)) << stop;
}

/// The box starts with 31 angstrom, and two cutoffs are 23.
TEST(SameBitsOverCuts, ABoxThatIsTooSmallForAnyIsAnErrorWithStepAndRemedy) {
  Job job = water_job({.patches = {2, 2, 2}, .compressed = true});
  job.settings.cutoff = 11.5 / units::bohr_in_angstrom;
  job.settings.inner_list_cutoff = 11.9 / units::bohr_in_angstrom;
  job.settings.list_cutoff = 12.5 / units::bohr_in_angstrom;
  const System system(job);
  OutputQueue output;
  const auto machinery = make_machinery(system, {.pes = 2, .profile = false}, output);
  State state = state_of_job(job);
  prepare_for_dynamics(system, state);
  try {
    machinery->run(Schedule(job.settings, job.dynamics, 0, 400), state);
    FAIL() << "it went on";
  } catch (const NumericsError& error) {
    EXPECT_NE(error.parts().what.find("too small for the cutoff"), std::string::npos)
        << error.what();
    EXPECT_NE(error.parts().where.find("step"), std::string::npos);
    EXPECT_NE(error.parts().value.find("nm"), std::string::npos);
    EXPECT_NE(error.parts().hint.find("cutoff"), std::string::npos);
  }
  EXPECT_EQ(last_frame(output, FramePurpose::checkpoint).bath.division.patches.x, 1);
}

/// All atoms are in other patches than in the job, so that objects get other places at the start.
TEST(SameBitsAfterARestart, FarFromThePositionsOfTheJob) {
  const Job job =
      water_job({.per_axis = 12, .patches = {3, 3, 3}, .pair_computes = 3, .slab = true});
  const System system(job);
  State state = state_of_job(job);
  prepare_for_dynamics(system, state);
  state.step = job.settings.rebuild_interval;
  for (Vec3& position : state.position) position.z += job.box.edge.z / 2;
  const auto run = [&](int pes, const std::string& map) {
    OutputQueue output;
    const auto machinery =
        make_machinery(system, {.pes = pes, .map = map, .pin = false, .profile = false}, output);
    machinery->run(Schedule(job.settings, job.dynamics, state.step, steps), state);
    return digest(last_frame(output, FramePurpose::last));
  };
  const std::string one = run(1, "block");
  for (const int pes : {1, 2, 5}) EXPECT_EQ(run(pes, "cost"), one) << pes;
}

/// The last step is a rebuild. A stop that is requested just before it must not leave it out.
TEST(SameBitsAtTheEnd, AStopThatComesTooLateChangesNothing) {
  const Job job = water_job();
  ASSERT_EQ(steps % job.settings.rebuild_interval, 0);
  const System system(job);
  State state = state_of_job(job);
  prepare_for_dynamics(system, state);
  OutputQueue output;
  const auto machinery = make_machinery(system, {.pes = 2, .profile = false}, output);
  Schedule schedule(job.settings, job.dynamics, 0, steps);
  schedule.stop_after(steps - job.settings.rebuild_interval + 1);
  machinery->run(schedule, state);
  EXPECT_EQ(digest(last_frame(output, FramePurpose::last)), digest_of_run(job, 1, "block"));
}

TEST(SameBitsBetweenRuns, OfOneMachinery) {
  const Job job = water_job();
  const System system(job);
  State state = state_of_job(job);
  prepare_for_dynamics(system, state);
  OutputQueue output;
  const auto machinery = make_machinery(system, {.pes = 2, .profile = false}, output);
  const Schedule schedule(job.settings, job.dynamics, 0, 20);
  machinery->run(schedule, state);
  const auto first = digest(last_frame(output, FramePurpose::last));
  machinery->run(schedule, state);
  EXPECT_EQ(digest(last_frame(output, FramePurpose::last)), first);
}

}  // namespace
}  // namespace fg::test
