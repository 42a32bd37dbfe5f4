// SPDX-License-Identifier: BSD-3-Clause
//
// Steps of a patch and its computes that can be followed by hand.
#include "classical/prediction/event_model.hpp"

#include <gtest/gtest.h>

#include <array>
#include <numeric>

#include "small_machines.hpp"

namespace fg::test {
namespace {

using namespace fg::classical;

constexpr std::int64_t ns = 1000;  // [ps]

/// Computes of one patch, on these PEs; a PE other than that of the patch is another process.
StepGraph patch_and_computes(std::int64_t patch_work, std::int64_t compute_work,
                             std::int64_t handling, std::int64_t bytes,
                             const std::vector<int>& pes) {
  StepGraph graph{.patches = 1};
  const auto computes = static_cast<int>(pes.size());
  graph.tasks.push_back({.pe = 0, .awaits = computes, .part = in_patches, .work = patch_work});
  for (int i = 0; i < computes; ++i)
    graph.tasks.push_back({.pe = pes[static_cast<std::size_t>(i)],
                           .awaits = 1,
                           .part = in_pairs,
                           .work = compute_work});
  const auto send = [&](std::uint32_t from, std::uint32_t to, std::int64_t work) {
    const bool away = graph.tasks[from].pe != graph.tasks[to].pe;
    graph.sends.push_back(static_cast<std::uint32_t>(graph.messages.size()));
    graph.messages.push_back({.bytes = away ? bytes : 0,
                              .to_pe = away ? graph.tasks[to].pe : -1,
                              .first_target = static_cast<std::uint32_t>(graph.targets.size()),
                              .targets = 1,
                              .pieces = static_cast<std::uint8_t>(away ? 1 : 0)});
    graph.targets.push_back({.task = to, .work = work});
    StepTask& task = graph.tasks[from];
    if (task.sends++ == 0) task.first_send = static_cast<std::uint32_t>(graph.sends.size() - 1);
  };
  for (int i = 1; i <= computes; ++i) send(0, static_cast<std::uint32_t>(i), 0);
  for (int i = 1; i <= computes; ++i) send(static_cast<std::uint32_t>(i), 0, handling);
  return graph;
}

StepPrediction run_on(const topology::Machine& machine, const StepGraph& graph, int processes) {
  std::vector<int> nodes(static_cast<std::size_t>(processes));
  std::iota(nodes.begin(), nodes.end(), 0);
  return run_events(graph, {.processes = processes, .pes_a_process = 1, .hosts = nodes}, machine,
                    nodes);
}

std::int64_t sum(const TimeOfParts& parts) {
  return std::accumulate(parts.begin(), parts.end(), std::int64_t{0});
}

TEST(EventModel, OnOnePeAStepIsTheSumOfItsWork) {
  const StepGraph graph = patch_and_computes(700, 500, 30, 0, {0, 0, 0});
  const StepPrediction found = run_on(*ring(1), graph, 1);
  EXPECT_EQ(found.step, 700 + 3 * 500 + 3 * 30);
  const TimeOfParts parts{1500, 0, 0, 0, 700, 90, 0, 0};
  EXPECT_EQ(found.mean, parts);
  EXPECT_EQ(found.most, parts);
  EXPECT_EQ(found.path, parts);
  EXPECT_EQ(found.messages, 0);
  EXPECT_EQ(found.longest_task, 700);
  EXPECT_EQ(found.part_of_longest, in_patches);
}

constexpr topology::Processor processor{.send = 4e-7, .receive = 3e-7, .byte = 1e-10};

/// On the way 50 ns at both ends, one hop of 100 ns and 1 ns a byte; at the ends 0.1 ns a byte.
constexpr std::int64_t send = (400 + 100) * ns, receive = (300 + 100) * ns;
constexpr std::int64_t way = (2 * 50 + 100 + 1000) * ns;

TEST(EventModel, AMessageTakesBothProcessorsAndItsWay) {
  const auto machine = ring(4, processor);
  const StepGraph graph = patch_and_computes(7000 * ns, 5000 * ns, 30 * ns, 1000, {1});
  const StepPrediction found = run_on(*machine, graph, 2);
  EXPECT_EQ(found.step, 12030 * ns + 2 * (send + way + receive));
  EXPECT_EQ(found.path[in_patches], 7000 * ns);
  EXPECT_EQ(found.path[in_pairs], 5000 * ns);
  EXPECT_EQ(found.path[in_messages], 2 * (send + receive) + 30 * ns);
  EXPECT_EQ(found.path[in_links], 2 * way);
  EXPECT_EQ(sum(found.path), found.step);
  // The patch's PE works most, and waits for the compute and both ways.
  EXPECT_EQ(found.busiest_pe, 0);
  EXPECT_EQ(found.most[in_messages], send + receive + 30 * ns);
  EXPECT_EQ(found.most[in_waits], found.step - 7030 * ns - send - receive);
  EXPECT_EQ(sum(found.mean), found.step);
  EXPECT_EQ(found.messages, 2);
  EXPECT_EQ(found.bytes, 2000);
  EXPECT_NEAR(found.busy_share, 1000.0 * ns / static_cast<double>(found.step), 1e-9);
}

TEST(EventModel, APeDoesOneThingAtATime) {
  const auto machine = ring(4, processor);
  const StepGraph graph = patch_and_computes(7000 * ns, 5000 * ns, 0, 1000, {1, 0});
  // Its own compute ends before the answer of the other one is there: 500 for its send against a
  // way of 1200, 400 to take it in, 5000 of work, and the way back.
  const StepPrediction found = run_on(*machine, graph, 2);
  EXPECT_EQ(found.step, 12000 * ns + 2 * (send + way + receive));
  EXPECT_EQ(found.most[in_pairs], 5000 * ns);
}

TEST(EventModel, AMessageWaitsForThatBeforeItOnTheLink) {
  const auto machine = ring(4, processor);
  // Both computes are two hops away; sends follow each other by 500 ns, bytes by 1000.
  const StepGraph graph = patch_and_computes(7000 * ns, 0, 0, 1000, {1, 1});
  const StepPrediction found = run_on(*machine, graph, 2);
  // Out: the second message comes 1000 after the first one, which has been taken in (400) by then
  // and answered (500); the answers are 1000 apart as well.
  const std::int64_t out = send + way + 1000 * ns + receive;
  EXPECT_EQ(found.step, 7000 * ns + out + send + way + receive);
}

TEST(EventModel, TheMeshTakesPartInItsRoundsOnly) {
  StepGraph graph = patch_and_computes(700, 500, 0, 0, {0, 0});
  graph.interval = 2;
  graph.tasks[0].awaits = 1;
  graph.tasks[0].awaits_mesh = 1;
  graph.messages[1].of_mesh = true;
  EXPECT_EQ(run_on(*ring(1), graph, 1).step, (2 * 700 + 3 * 500) / 2);
}

TEST(EventModel, UrgentTasksComeFirst) {
  // A PE with a patch and three computes: the patch's own messages go to computes in order, and the
  // last one to be sent is urgent; then it is the first to work. All the same the step is the sum.
  StepGraph graph = patch_and_computes(700, 500, 10, 0, {0, 0, 0});
  graph.messages[2].urgent = true;
  EXPECT_EQ(run_on(*ring(1), graph, 1).step, 700 + 3 * 510);
}

TEST(EventModel, AParcelLeavesWhenAllHaveFedIt) {
  const auto machine = ring(4, processor);
  StepGraph graph = patch_and_computes(7000 * ns, 5000 * ns, 0, 1000, {1, 1});
  // Both computes feed the answer of the first one.
  graph.messages[2].feeders = 2;
  graph.sends[3] = 2;
  graph.tasks[0].awaits = 1;
  const StepPrediction found = run_on(*machine, graph, 2);
  // The second message is taken in when the first compute is over, 5000 after it began.
  EXPECT_EQ(found.step,
            7000 * ns + send + way + receive + 2 * 5000 * ns + receive + send + way + receive);
  EXPECT_EQ(found.messages, 3);
}

}  // namespace
}  // namespace fg::test
