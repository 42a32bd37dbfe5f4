// SPDX-License-Identifier: BSD-3-Clause
//
// The graph of a step of a job, beside the estimate of its work and the count of its messages.
#include "classical/prediction/graph_of_step.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "classical/assembly.hpp"
#include "classical/job/pair_settings.hpp"
#include "classical/places/traffic.hpp"
#include "runs/prediction/event_model.hpp"
#include "support/classical/water_job.hpp"
#include "support/small_machines.hpp"

namespace fg::test {
namespace {

using namespace fg::classical;

/// All that a graph is made of.
struct Water {
  explicit Water(const WaterJobOptions& options) : job(water_job(options)), system(job) {}

  topology::PeLayout layout(int processes, int pes) const {
    std::vector<int> hosts(static_cast<std::size_t>(processes));
    std::iota(hosts.begin(), hosts.end(), 0);
    return {.processes = processes, .pes_a_process = pes, .hosts = hosts};
  }
  FirstPlaces places(const topology::PeLayout& on) const {
    return {work,
            system.grid(),
            *pair_division(system, system.grid()),
            job.settings,
            ArrayMaps("cost", names_of_arrays()),
            on};
  }
  StepGraph graph(const topology::PeLayout& on, double speed = 1) const {
    return graph_of_step(system, system.grid(), atoms(), work, places(on), on, speed);
  }

  StepAtoms atoms() const { return {system, system.grid(), job.atoms.position}; }

  Job job;
  System system;
  WorkEstimate work = estimate_work(system, system.grid(), job.atoms.position, ForceParts::all);
};

constexpr WaterJobOptions water{.per_axis = 12, .patches = {3, 3, 3}, .pair_computes = 3};
constexpr WaterJobOptions slab{
    .per_axis = 12, .patches = {3, 3, 3}, .pair_computes = 3, .slab = true};

/// The work of tasks that have something to wait for, and of all messages that they get.
std::int64_t work_of(const StepGraph& graph) {
  std::int64_t sum = 0;
  for (const StepTask& task : graph.tasks)
    if (task.awaits > 0) sum += task.work;
  for (const StepTarget& target : graph.targets) sum += target.work;
  return sum;
}

/// Bonded computes without terms do nothing; the estimate counts each of them.
std::int64_t idle_work(const StepGraph& graph) {
  std::int64_t sum = 0;
  for (const StepTask& task : graph.tasks)
    if (task.awaits == 0) sum += task.work;
  return sum;
}

/// Each PE of a process has one sum of pair forces for a patch.
TEST(StepGraph, PesChangeNothingInTheWorkButTheNumberOfSums) {
  for (const auto& options : {water, slab}) {
    const Water job(options);
    const std::int64_t whole = job.places(job.layout(1, 1)).whole();
    for (const int pes : {1, 2, 4, 8, 27}) {
      const StepGraph graph = job.graph(job.layout(1, pes));
      const std::int64_t sums = std::ranges::count_if(
          graph.targets, [](const StepTarget& target) { return target.work > 0; });
      EXPECT_GE(sums, 27);
      EXPECT_LE(sums, 27 * pes);
      EXPECT_EQ(work_of(graph) + idle_work(graph),
                whole + (sums - 27) * work_picoseconds[of_message])
          << pes << " PEs";
    }
  }
}

TEST(StepGraph, OnOnePeAStepTakesItsWork) {
  for (const double speed : {1.0, 0.5}) {
    const Water job(water);
    const auto layout = job.layout(1, 1);
    const StepGraph graph = job.graph(layout, speed);
    const StepPrediction found = run_events(graph, layout, *ring(1), std::array{0});
    EXPECT_EQ(found.step, work_of(graph));
    const double whole =
        static_cast<double>(job.places(layout).whole() - idle_work(job.graph(layout)));
    // Times are whole picoseconds.
    EXPECT_NEAR(static_cast<double>(found.step), whole / speed, 1e4);
    EXPECT_EQ(found.mean[in_waits], 0);
  }
}

/// Except for transposes, of which the traffic counts the pieces and not the parcels.
TEST(StepGraph, SendsTheMessagesThatAreCounted) {
  const Water job(slab);
  const auto layout = job.layout(5, 2);
  const StepGraph graph = job.graph(layout);
  const StepTraffic traffic = traffic_of_step(job.system, job.system.grid(), job.atoms(), job.work,
                                              job.places(layout), layout);
  double counted = 0;
  for (std::size_t phase = 0; phase < traffic.size(); ++phase)
    for (const Way& way : traffic[phase]) counted += phase == transposes ? 0 : way.messages;
  double sent = 0;
  for (const TaskMessage& message : graph.messages) {
    const bool between_pencils =
        message.to_pe >= 0 &&
        graph.tasks[graph.targets[message.first_target].task].part == in_transforms;
    sent += message.to_pe >= 0 && !between_pencils ? 1 : 0;
  }
  for (const Way& way : traffic[charges]) sent += way.messages;  // go to pencils as well
  EXPECT_EQ(sent, counted);
}

TEST(StepGraph, AStepIsTheSameHoweverProcessesAreNumbered) {
  const Water job(slab);
  const auto layout = job.layout(7, 1);
  StepGraph graph = job.graph(layout);
  const auto machine = ring(7);
  const std::vector<int> nodes{0, 1, 2, 3, 4, 5, 6}, turned{3, 4, 5, 6, 0, 1, 2};
  const StepPrediction found = run_events(graph, layout, *machine, nodes);
  // On a ring with an odd number of nodes all of them are alike.
  EXPECT_EQ(run_events(graph, layout, *machine, turned).step, found.step);
  // Processes with other numbers on the same nodes.
  for (StepTask& task : graph.tasks) task.pe = turned[static_cast<std::size_t>(task.pe)];
  for (TaskMessage& message : graph.messages)
    if (message.to_pe >= 0) message.to_pe = turned[static_cast<std::size_t>(message.to_pe)];
  std::vector<int> of_turned(7);
  for (std::size_t i = 0; i < 7; ++i) of_turned[static_cast<std::size_t>(turned[i])] = nodes[i];
  const StepPrediction again = run_events(graph, layout, *machine, of_turned);
  EXPECT_EQ(again.step, found.step);
  EXPECT_EQ(again.path, found.path);
  EXPECT_EQ(again.mean, found.mean);
}

TEST(StepGraph, MorePesAreFasterUntilMessagesHoldThem) {
  const Water job(water);
  const auto step_on = [&](int nodes, const topology::Processor& processor) {
    const auto layout = job.layout(nodes, 1);
    std::vector<int> all(static_cast<std::size_t>(nodes));
    std::iota(all.begin(), all.end(), 0);
    return run_events(job.graph(layout), layout, *ring(nodes, processor, 1e12), all).step;
  };
  const topology::Processor free{.send = 0, .receive = 0};
  const std::int64_t alone = step_on(1, free);
  EXPECT_LT(step_on(2, free), 0.7 * static_cast<double>(alone));
  EXPECT_LT(step_on(8, free), 0.4 * static_cast<double>(alone));
  EXPECT_GT(step_on(8, {.send = 1e-3, .receive = 1e-3}), alone);
}

TEST(StepGraph, TheMeshOnEverySecondStepTakesLessTime) {
  WaterJobOptions options = water;
  const Water always(options);
  options.long_range_interval = 2;
  const Water seldom(options);
  const auto layout = always.layout(1, 1);
  const auto step = [&](const Water& job) {
    return run_events(job.graph(layout), layout, *ring(1), std::array{0});
  };
  EXPECT_EQ(step(seldom).mean[in_transforms], step(always).mean[in_transforms] / 2);
  EXPECT_LT(step(seldom).step, step(always).step);
}

TEST(StepGraph, PairsOnEverySecondStepTakeHalfTheirTime) {
  WaterJobOptions options = water;
  options.long_range_interval = 4;
  const Water always(options);
  options.pair_interval = 2;
  const Water seldom(options);
  for (const int pes : {1, 4}) {
    const auto layout = always.layout(1, pes);
    const auto step = [&](const Water& job) {
      return run_events(job.graph(layout), layout, *ring(1), std::array{0});
    };
    // On several PEs some tasks are ahead, and the counted steps begin and end among their work.
    const double half = static_cast<double>(step(always).mean[in_pairs]) / 2;
    EXPECT_NEAR(static_cast<double>(step(seldom).mean[in_pairs]), half, pes == 1 ? 1 : 0.1 * half);
    EXPECT_LT(step(seldom).step, step(always).step);
  }
}

}  // namespace
}  // namespace fg::test
