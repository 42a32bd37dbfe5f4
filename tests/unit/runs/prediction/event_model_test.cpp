// SPDX-License-Identifier: BSD-3-Clause
//
// Steps of a patch and its computes that can be followed by hand.
#include "runs/prediction/event_model.hpp"

#include <gtest/gtest.h>

#include <array>
#include <numeric>

#include "support/small_machines.hpp"

namespace fg::test {
namespace {

constexpr TimePart in_pairs = 0, in_patches = 1;  // kinds of work
constexpr std::int64_t ns = 1000;                 // [ps]

/// Computes of one patch, on these PEs; a PE other than that of the patch is another process.
StepGraph patch_and_computes(std::int64_t patch_work, std::int64_t compute_work,
                             std::int64_t handling, std::int64_t bytes,
                             const std::vector<int>& pes) {
  StepGraph graph{.starters = 1};
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
                              .targets = 1});
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
  TimeOfParts parts{};
  parts[in_pairs] = 1500;
  parts[in_patches] = 700;
  parts[in_messages] = 90;
  EXPECT_EQ(found.mean, parts);
  EXPECT_EQ(found.most, parts);
  EXPECT_EQ(found.path, parts);
  EXPECT_EQ(found.messages, 0);
  EXPECT_EQ(found.longest_task, 700);
  EXPECT_EQ(found.part_of_longest, in_patches);
}

constexpr topology::Processor processor{.send = 4e-7, .receive = 3e-7, .byte = 1e-10};

/// With the heads of a packet and of its record, of 8 and 64 bytes, this is 1000 bytes on the way.
constexpr std::int64_t body = 928;

/// On the way 50 ns at both ends, one hop of 100 ns and 1 ns a byte; at the ends 0.1 ns a byte.
constexpr std::int64_t send = (400 + 100) * ns, receive = (300 + 100) * ns;
constexpr std::int64_t way = (2 * 50 + 100 + 1000) * ns;

TEST(EventModel, AMessageTakesBothProcessorsAndItsWay) {
  const auto machine = ring(4, processor);
  const StepGraph graph = patch_and_computes(7000 * ns, 5000 * ns, 30 * ns, body, {1});
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

TEST(EventModel, APeSendsWhenItHasNothingElseToDo) {
  const auto machine = ring(4, processor);
  const StepGraph graph = patch_and_computes(7000 * ns, 5000 * ns, 0, body, {1, 0});
  // Its own compute comes first, and then the message to the other one leaves.
  const StepPrediction found = run_on(*machine, graph, 2);
  EXPECT_EQ(found.step, 17000 * ns + 2 * (send + way + receive));
  EXPECT_EQ(found.most[in_pairs], 5000 * ns);
}

TEST(EventModel, APeThatIsBusyForLongSendsMeanwhile) {
  const auto machine = ring(4, processor);
  // More than 50000 ns after it was idle it drives the network before anything else.
  const StepGraph graph = patch_and_computes(70000 * ns, 5000 * ns, 0, body, {1, 0});
  const StepPrediction found = run_on(*machine, graph, 2);
  EXPECT_EQ(found.step, 75000 * ns + 2 * (send + way + receive));
}

TEST(EventModel, AMessageWaitsForThatBeforeItOnTheLink) {
  const auto machine = ring(5, processor);
  const StepGraph graph = patch_and_computes(7000 * ns, 0, 0, body, {1, 2});
  const StepPrediction found = run_on(*machine, graph, 3);
  // From the end of the patch's work, in ns. The first message leaves at 500, is on the link from
  // 600 to 1600, and there at 1700. The second one leaves at 1000, waits for the link until 1600
  // and is there at 1600 + 2 * 100 + 1000 = 2800. It is taken in at 3200 and answered at 3700. The
  // first answer left at 2600 and is on the link to node 0 from 2700 to 3700; the second one comes
  // to that link at 3900, is there at 5000 and taken in at 5400.
  EXPECT_EQ(found.step, (7000 + 5400) * ns);
}

/// Pieces that are sent for six computes in another process, and with their answers.
double pieces(std::int64_t bytes, bool urgent = false) {
  // A microsecond for each piece that is sent; computes work for five.
  const auto machine = ring(4, {.send = 1e-6, .receive = 0}, 1e15);
  StepGraph graph = patch_and_computes(0, 5000 * ns, 0, bytes, {1, 1, 1, 1, 1, 1});
  for (TaskMessage& message : graph.messages) message.urgent = urgent;
  const StepPrediction found = run_on(*machine, graph, 2);
  return static_cast<double>(found.mean[in_messages]) * 2 / (1000.0 * ns);
}

TEST(EventModel, MessagesToAProcessTravelInAPacketIfTheyFit) {
  // A packet for all. Back come one with four answers, since a PE drives the network four messages
  // after it has sent something, and one with the others.
  EXPECT_EQ(pieces(100), 1 + 2);
  // Two of these fit into 8192 bytes. The first two computes answer before the others have begun.
  EXPECT_EQ(pieces(4000), 3 + 3);
  // Longer ones follow a packet that has at most four of them. The first compute has answered
  // before the five others begin.
  EXPECT_EQ(pieces(10000), (1 + 4) + (1 + 2) + (1 + 1) + (1 + 4) + (1 + 1));
}

TEST(EventModel, UrgentMessagesLeaveBeforeTheNextTask) {
  EXPECT_EQ(pieces(100, true), 1 + 6);  // what one task sends travels together
}

TEST(EventModel, TheMeshTakesPartInItsRoundsOnly) {
  StepGraph graph = patch_and_computes(700, 500, 0, 0, {0, 0});
  graph.mesh_interval = 2;
  graph.tasks[0].awaits = 1;
  graph.tasks[0].awaits_mesh = 1;
  graph.messages[1].of_mesh = true;
  EXPECT_EQ(run_on(*ring(1), graph, 1).step, (2 * 700 + 3 * 500) / 2);
}

TEST(EventModel, ATaskThatWaitsForNothingGoesOn) {
  StepGraph graph = patch_and_computes(700, 500, 0, 0, {0, 0});
  graph.pair_interval = graph.mesh_interval = 2;
  graph.tasks[0].awaits = 0;
  graph.tasks[0].awaits_pairs = graph.tasks[0].awaits_mesh = 1;
  graph.messages[0].of_pairs = graph.messages[1].of_mesh = true;
  EXPECT_EQ(run_on(*ring(1), graph, 1).step, (2 * 700 + 2 * 500) / 2);
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
  StepGraph graph = patch_and_computes(7000 * ns, 5000 * ns, 0, body, {1, 1});
  // Both computes feed the answer of the first one.
  graph.messages[2].feeders = 2;
  graph.sends[3] = 2;
  graph.tasks[0].awaits = 1;
  const StepPrediction found = run_on(*machine, graph, 2);
  // From the end of the patch's work, in ns. Both messages are in one packet, of 1000 and 992
  // bytes. The second part leaves at 599.2, waits for the entry until 1000 and for the link until
  // 1600, and the packet is there at 1600 + 100 + 992. It is taken in for 400 and for 99.2. Then
  // both computes work, and their answer leaves.
  EXPECT_EQ(found.step, (7000 + 2692 + 400) * ns + 99200 + 2 * 5000 * ns + send + way + receive);
  EXPECT_EQ(found.messages, 3);
}

}  // namespace
}  // namespace fg::test
