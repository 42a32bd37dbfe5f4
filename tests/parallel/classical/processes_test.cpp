// SPDX-License-Identifier: BSD-3-Clause
//
// The same trajectory on any number of processes and PEs, also with restarts that change both.
// Started by mpiexec; process 0 compares with what it computes alone.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "base/error.hpp"
#include "processes/ranks.hpp"
#include "support/classical/frames.hpp"
#include "support/classical/water_job.hpp"
#include "support/effort.hpp"
#include "support/mpi_transport.hpp"

namespace fg::test {
namespace {

using namespace fg::classical;

constexpr std::int64_t steps = 40;

MachineOptions shared(int pes, const std::string& map = "cost", int comm_threads = 0) {
  return {.pes = pes,
          .transport = &transport(),
          .comm_threads = comm_threads,
          .map = map,
          .pin = false,
          .profile = true};
}

/// Runs from `state` to the end, or to the first rebuild at or after `stop_after`. Process 0 gets
/// the frame.
Frame run(const System& system, const MachineOptions& options, const State& state,
          std::int64_t stop_after = -1) {
  const Job& job = system.job();
  OutputQueue output;
  const auto machinery = make_machinery(system, options, output);
  if (options.transport && transport().rank() != 0) {
    machinery->serve();
    return {};
  }
  Schedule schedule(job.settings, job.dynamics, state.step, steps);
  schedule.stop_after(stop_after);
  machinery->run(schedule, state);
  return last_frame(output, stop_after < 0 ? FramePurpose::last : FramePurpose::checkpoint);
}

State start_of(const System& system) {
  State state = state_of_job(system.job());
  prepare_for_dynamics(system, state);
  return state;
}

struct Case {
  const char* name;
  WaterJobOptions options;
};
class SameBitsOverProcesses : public ::testing::TestWithParam<Case> {};

TEST_P(SameBitsOverProcesses, OnAnyPesUnderAnyMapAfterAnyRestart) {
  const Job job = water_job(GetParam().options);
  const System system(job);
  const bool first = transport().rank() == 0;
  const State start = start_of(system);
  const MachineOptions alone{.pes = 2, .pin = false, .profile = false};
  const std::string one = first ? digest(run(system, alone, start)) : "";
  const auto expect_same = [&](const Frame& frame, const std::string& what) {
    if (!first) return;
    EXPECT_EQ(digest(frame), one) << what;
  };
  for (const int pes : few_with_watch(1, {2, 1, 3}))
    expect_same(run(system, shared(pes), start), std::to_string(pes) + " PEs");
  for (const char* const map : few_with_watch(1, {"hashed", "mesh-1-alone", "round-robin"}))
    expect_same(run(system, shared(2, map), start), map);
  expect_same(run(system, shared(2, "cost", 1), start), "a communication thread");
  expect_same(run(system, shared(1, "hashed", 2), start), "two communication threads");

  for (const int pes : few_with_watch(1, {3, 1})) {
    auto moving = shared(pes, "hashed", pes / 2);
    moving.balance = "random";
    moving.balance_steps = 10;
    expect_same(run(system, moving, start), "random moves");
    if (watches_threads) continue;
    moving.balance = "greedy";
    expect_same(run(system, moving, start), "balanced");
  }

  // From many processes to one, and back.
  const Frame stopped = run(system, shared(2), start, 15);
  if (first) expect_same(run(system, alone, state_after(stopped, job)), "continued in one process");
  Frame half_way;
  if (first) half_way = run(system, alone, start, 15);
  const State state = first ? state_after(half_way, job) : State{};
  expect_same(run(system, shared(1, "hashed"), state), "continued in many processes");
  expect_same(run(system, shared(2), state), "continued in many processes, by cost");
}

/// All atoms are in other patches than in the job, so that objects get other places at the start.
TEST(OverProcesses, APlacementForAnotherStateThanThatOfTheJob) {
  const Job job =
      water_job({.per_axis = 12, .patches = {3, 3, 3}, .pair_computes = 3, .slab = true});
  const System system(job);
  State state = start_of(system);
  state.step = job.settings.rebuild_interval;
  for (Vec3& position : state.position) position.x += job.box.edge.x / 3;
  for (Vec3& position : state.position) position.z += job.box.edge.z / 2;
  const MachineOptions alone{.pes = 2, .pin = false, .profile = false};
  const bool first = transport().rank() == 0;
  const std::string one = first ? digest(run(system, alone, state)) : "";
  for (const int pes : few_with_watch(1, {3, 1})) {
    const Frame frame = run(system, shared(pes), state);
    if (first) {
      EXPECT_EQ(digest(frame), one) << pes;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Jobs, SameBitsOverProcesses,
    ::testing::Values(
        Case{"MixedVerlet", {}},
        Case{"DoubleLangevin",
             {.precision = Precision::double_precision, .integrator = IntegratorKind::langevin}},
        Case{"Tilted", {.tilted = true}}, Case{"Impulses", {.long_range_interval = 2}},
        Case{"Levels", {.restraints = true, .pair_interval = 2, .long_range_interval = 4}},
        Case{"LevelsPiston",
             {.rescaling = true,
              .pair_interval = 2,
              .long_range_interval = 2,
              .barostat = BarostatKind::langevin_piston}},
        Case{"StochasticRescalingLangevin",
             {.integrator = IntegratorKind::langevin,
              .restraints = true,
              .barostat = BarostatKind::stochastic_rescaling}},
        Case{"PistonVelocityRescalingTilted",
             {.tilted = true, .rescaling = true, .barostat = BarostatKind::langevin_piston}},
        Case{"Compressed", {.patches = {3, 3, 3}, .pair_computes = 2, .compressed = true}},
        Case{"VolumeTrials", {.trials = true}}, Case{"FlatPatches", {.patches = {1, 2, 1}}},
        Case{"Slab", {.per_axis = 12, .patches = {3, 3, 3}, .pair_computes = 3, .slab = true}},
        Case{"ThinPatches", {.patches = {4, 4, 2}, .reach = {2, 2, 1}, .pair_computes = 3}},
        Case{"Midpoints",
             {.patches = {4, 4, 2},
              .reach = {2, 2, 1},
              .pair_computes = 1,
              .pairs = PairAssignment::midpoint}},
        Case{"CutCells",
             {.patches = {4, 4, 2},
              .reach = {2, 2, 1},
              .pair_computes = 1,
              .pairs = PairAssignment::midpoint,
              .cells = {3, 2, 4}}},
        Case{"ThreePatchesPerAxis", {.per_axis = 12, .patches = {3, 3, 3}}},
        Case{"OnePairCompute", {.per_axis = 12, .patches = {3, 3, 3}, .pair_computes = 1}}),
    [](const auto& info) { return info.param.name; });

TEST(OverProcesses, AnExplosionNamesAtomAndStepEverywhere) {
  Job job = water_job();
  job.dynamics.timestep *= 40;
  const System system(job);
  const State start = start_of(system);
  OutputQueue output;
  const auto machinery = make_machinery(system, shared(1), output);
  if (transport().rank() != 0) {
    machinery->serve();
    return;
  }
  try {
    machinery->run(Schedule(job.settings, job.dynamics, 0, 2000), start);
    FAIL() << "it did not explode";
  } catch (const NumericsError& error) {
    EXPECT_NE(std::string(error.what()).find("step"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("atom"), std::string::npos) << error.what();
  }
}

TEST(OverProcesses, AnErrorOfOneProcessDuringSetUpReachesAll) {
  const int last = transport().processes() - 1;
  EXPECT_THROW(together(&transport(),
                        [&] {
                          if (transport().rank() == last) throw InputError({.what = "mine"});
                        }),
               InputError);
  together(&transport(), [] {});
}

TEST(OverProcesses, TheProfileHasThePesOfAll) {
  const Job job = water_job();
  const System system(job);
  const State start = start_of(system);
  OutputQueue output;
  const auto machinery = make_machinery(system, shared(2), output);
  if (transport().rank() != 0) {
    machinery->serve();
    return;
  }
  machinery->run(Schedule(job.settings, job.dynamics, 0, 10), start);
  const Profile profile = machinery->profile();
  EXPECT_EQ(profile.pes.size(), 2u * static_cast<unsigned>(transport().processes()));
  for (const auto& pe : profile.pes) EXPECT_GT(pe.processed, 0u);
  machinery->run(Schedule(job.settings, job.dynamics, 0, 10), start);
}

}  // namespace
}  // namespace fg::test
