// SPDX-License-Identifier: BSD-3-Clause
//
// A step of a run as tasks and messages. A task is what an object does in one go when it has all
// that it awaits. A message goes to tasks of one process. What is sent between processes is put
// together as the objects do:
// - positions go once to each process;
// - pair forces are added up in each process (forces/pair/force_collector.hpp);
// - pieces of a transpose go in parcels (runtime/exchange.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "classical/places/first_places.hpp"
#include "classical/places/step_messages.hpp"
#include "topology/placement/pe_layout.hpp"

namespace fg::classical {

/// Where time goes. Messages: what they take of processors, at both ends; links: their way.
inline constexpr std::array<std::string_view, 8> parts_of_time{"pair forces",
                                                               "bonded forces",
                                                               "mesh: spread and gather",
                                                               "mesh: transforms",
                                                               "patches: move",
                                                               "messages",
                                                               "links",
                                                               "waits"};
enum TimePart : std::uint8_t {
  in_pairs,
  in_bonded,
  in_spreading,
  in_transforms,
  in_patches,
  in_messages,
  in_links,
  in_waits
};
using TimeOfParts = std::array<std::int64_t, parts_of_time.size()>;  // [ps]

struct StepTask {
  std::int32_t pe = 0;
  std::int32_t awaits = 0;       // messages
  std::int32_t awaits_mesh = 0;  // more, in a round of the mesh
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
  bool in_exchange = false;  // its targets are called when all their pieces are there
  bool urgent = false;       // its tasks come before others
  bool of_mesh = false;
};

struct StepGraph {
  /// Patches have the first tasks, in index order: from the forces of a step to the next positions.
  int patches = 0;
  std::int64_t interval = 1;  // steps between two rounds of the mesh
  std::vector<StepTask> tasks{};
  std::vector<std::uint32_t> sends{};  // of tasks: messages
  std::vector<TaskMessage> messages{};
  std::vector<StepTarget> targets{};
};

/// `core_speed` is that of a core, relative to the one of the fit of the times.
StepGraph step_graph(const System& system, const PatchGrid& grid, std::span<const Vec3> positions,
                     const WorkEstimate& work, const FirstPlaces& places,
                     const topology::PeLayout& layout, double core_speed);

}  // namespace fg::classical
