// SPDX-License-Identifier: BSD-3-Clause
//
// A step of a run as tasks and messages. A task is what an object does in one go when it has all
// that it awaits. A message goes to tasks of one process. Each kind of run makes the graph of its
// own objects.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace fg {

/// Where time goes: kinds of work, which the kind of run names; then messages, which is what they
/// take of processors, at both ends; links, which are their way; and waits.
using TimePart = std::uint8_t;
inline constexpr std::size_t most_kinds_of_work = 5;
inline constexpr TimePart in_messages = most_kinds_of_work, in_links = in_messages + 1,
                          in_waits = in_links + 1;
using TimeOfParts = std::array<std::int64_t, in_waits + 1>;  // [ps]
/// A kind of work without a name is not there.
using NamesOfWork = std::array<std::string_view, most_kinds_of_work>;

struct StepTask {
  std::int32_t pe = 0;
  std::int32_t awaits = 0;        // messages
  std::int32_t awaits_pairs = 0;  // more, on steps with pair forces
  std::int32_t awaits_mesh = 0;   // more, in a round of the mesh
  TimePart part{};
  std::int64_t work = 0;  // [ps]
  std::uint32_t first_send = 0, sends = 0;
};

struct StepTarget {
  std::uint32_t task = 0;
  std::int64_t work = 0;  // of its PE for each message that comes [ps]
};

struct TaskMessage {
  std::int64_t bytes = 0;    // of its body
  std::int32_t to_pe = -1;   // that takes it in; -1: it stays in the process
  std::int32_t feeders = 1;  // tasks that add to it; the last one sends it
  std::uint32_t first_target = 0, targets = 0;
  bool in_exchange = false;                // its targets are called when all their pieces are there
  bool urgent = false;                     // its tasks come before others
  bool of_pairs = false, of_mesh = false;  // sent on their steps only
};

struct StepGraph {
  /// The first tasks begin a step when they have ended the one before: those of patches, in index
  /// order, from the forces of a step to the next positions; or the one of the leader.
  int starters = 0;
  // Steps between two with pair forces, and between two rounds of the mesh: a multiple of it.
  std::int64_t pair_interval = 1, mesh_interval = 1;
  std::vector<StepTask> tasks{};
  std::vector<std::uint32_t> sends{};  // of tasks: messages
  std::vector<TaskMessage> messages{};
  std::vector<StepTarget> targets{};
};

}  // namespace fg
