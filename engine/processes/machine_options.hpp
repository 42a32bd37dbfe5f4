// SPDX-License-Identifier: BSD-3-Clause
//
// How the objects of a run use this process and the others: the caller's options, checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "processes/memory_plan.hpp"
#include "records/options/run_options.hpp"
#include "runtime/runtime.hpp"
#include "transport/transport.hpp"

namespace fg {

struct MachineOptions {
  int pes = 1;  // of each process
  /// Connects to the other processes of the run, each of which makes the same machinery; or null.
  Transport* transport = nullptr;
  int comm_threads = 0;
  std::string map = "cost";
  /// Moves objects between PEs, at the first rebuild after every `balance_steps` steps. The
  /// loads that it needs are measured only with `profile`.
  std::string balance = "none";
  std::int64_t balance_steps = 1000;
  bool pin = true;
  std::vector<int> processors{};  // as RuntimeOptions::processors
  bool profile = true;
  std::size_t trace = 0;  // records kept of each PE; 0: no trace
  MemoryPlan memory;      // for checkpoints in memory
  double companion_seconds = usual_companion_seconds;
  /// Compute only pair forces, to measure their error separately from that of the mesh.
  bool pairs_only = false;
};

/// The settings for the runtime of a run.
RuntimeOptions runtime_options(const MachineOptions& options);

/// Throws InputError for invalid options. The place for checkpoints in memory is set later.
MachineOptions machine_options(const RunOptions& options);

}  // namespace fg
