// SPDX-License-Identifier: BSD-3-Clause
//
// The same trajectory for any number of PEs and any map, also when the run is stopped and restarted
// half way. Compared bit by bit on a small box that has every kind of object.
#include <gtest/gtest.h>

#include <string>

#include "classical/machinery.hpp"
#include "support/frames.hpp"
#include "support/water_job.hpp"

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

/// Stops at the rebuild of step 30 and continues with other objects on other PEs.
std::string digest_of_restarted_run(const Job& job, int pes_before, int pes_after) {
  const System system(job);
  State state = state_of_job(job);
  prepare_for_dynamics(system, state);
  Frame stopped;
  {
    OutputQueue output;
    const auto machinery = make_machinery(system, {.pes = pes_before, .profile = false}, output);
    Schedule schedule(job.settings, job.dynamics, 0, steps);
    schedule.stop_after(25);
    machinery->run(schedule, state);
    stopped = last_frame(output, FramePurpose::checkpoint);
  }
  EXPECT_EQ(stopped.step, 30);
  state = state_after(stopped, job);
  OutputQueue output;
  const auto machinery =
      make_machinery(system, {.pes = pes_after, .map = "hashed", .profile = false}, output);
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
  for (const int pes : {2, 3, 4, 8}) EXPECT_EQ(digest_of_run(job, pes, "block"), one) << pes;
  EXPECT_EQ(digest_of_run(job, 3, "round-robin"), one);
  EXPECT_EQ(digest_of_run(job, 4, "hashed"), one);
  EXPECT_EQ(digest_of_run(job, 2, "block", 1000), one) << "with a trace";
  EXPECT_EQ(digest_of_restarted_run(job, 2, 3), one);
  EXPECT_EQ(digest_of_restarted_run(job, 4, 1), one);
}

TEST_P(SameBits, WhileObjectsMove) {
  const Job job = water_job(GetParam().options);
  const System system(job);
  const std::string one = digest_of_run(job, 1, "block");
  State state = state_of_job(job);
  prepare_for_dynamics(system, state);
  for (const std::string balancer : {"random", "greedy", "refine", "bisection"}) {
    OutputQueue output;
    const auto machinery = make_machinery(
        system,
        {.pes = 3, .balance = balancer, .balance_interval = 1, .pin = false, .profile = true},
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
              .barostat = BarostatKind::stochastic_rescaling,
              .coupling = BoxCoupling::semi_isotropic}},
        Case{"OnePatch", {.patches = {1, 1, 1}}}, Case{"FlatPatches", {.patches = {1, 2, 1}}},
        Case{"ThreePatchesPerAxis", {.per_axis = 12, .patches = {3, 3, 3}}}),
    [](const auto& info) { return info.param.name; });

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
