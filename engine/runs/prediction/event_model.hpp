// SPDX-License-Identifier: BSD-3-Clause
//
// Some steps of a run, event by event. A PE works on one thing at a time. Urgent messages (those of
// the mesh) come first, then the others, in the order in which they came. A task begins when the
// last message that it awaits has been handled.
//
// A PE drives the network as the runtime does: when it has nothing else to do, after some messages,
// and after some time. Then all that its tasks have sent leaves, in packets, and all that has come
// is taken in. A message to another process takes its sender's and its receiver's processor for a
// while. Between them it takes the links of its way (link_queues.hpp). Each PE sends what is its
// own.
//
// Events at equal times are in the order of the graph. So the result depends neither on how PEs and
// nodes are numbered, nor on the computer.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runs/prediction/step_graph.hpp"
#include "topology/machines/machine.hpp"
#include "topology/placement/pe_layout.hpp"

namespace fg {

/// All times in picoseconds a step, on the average.
struct StepPrediction {
  std::int64_t step = 0;
  TimeOfParts mean{};  // of the PEs; the parts add up to the step
  TimeOfParts most{};  // of the PE that works most
  /// The longest chain: work and messages, each of which could begin only when the one before was
  /// over. They add up to the step.
  TimeOfParts path{};
  int busiest_pe = 0;
  double messages = 0, bytes = 0;  // between processes
  /// The share of the time for which the heaviest link carries something. A number as in
  /// LinkQueues::busy, -1 without links.
  double busy_share = 0;
  int busiest_link = -1;
  std::int64_t longest_task = 0;
  TimePart part_of_longest{};
};

/// Each process is on a node of the machine. `graph` has the times of the machine's cores.
StepPrediction run_events(const StepGraph& graph, const topology::PeLayout& layout,
                          const topology::Machine& machine, std::span<const int> node_of_process);

}  // namespace fg
