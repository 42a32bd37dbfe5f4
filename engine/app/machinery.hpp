// SPDX-License-Identifier: BSD-3-Clause
//
// The objects of a simulation: creates them, maps them to PEs, and runs them over stretches of
// steps.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "app/keeper.hpp"
#include "app/output_queue.hpp"
#include "app/placement.hpp"
#include "app/schedule.hpp"
#include "app/state.hpp"
#include "app/system.hpp"
#include "runtime/profile.hpp"
#include "runtime/trace.hpp"
#include "transport/transport.hpp"

namespace fg::app {

struct MachineOptions {
  int pes = 1;  // of each process
  /// Connects to the other processes of the run, each of which makes the same machinery; or null.
  Transport* transport = nullptr;
  int communication_threads = 0;
  std::string map = "block";
  /// Moves objects between PEs, at the first rebuild after every `balance_interval` steps. The
  /// loads that it needs are measured only with `profile`.
  std::string balance = "none";
  std::int64_t balance_interval = 1000;
  bool pin = true;
  bool profile = true;
  std::size_t trace = 0;  // records kept of each PE; 0: no trace
  MemoryPlan memory;      // for checkpoints in memory
  /// Compute only pair forces, to measure their error separately from that of the mesh.
  bool pairs_only = false;
};

class Machinery {
 public:
  virtual ~Machinery() = default;

  /// Runs the steps of `schedule` from `state`, and returns when all results have been put into the
  /// output queue. Throws the first error of any object; after that the machinery cannot run again.
  /// Otherwise it may be called again. In process 0 only.
  virtual void run(const Schedule& schedule, const State& state) = 0;

  /// In the other processes: takes part in the runs of process 0 until its machinery is destroyed
  /// or has failed.
  virtual void serve() = 0;

  /// After a successful end, in process 0: removes what all processes have kept in memory.
  virtual void forget_memory() = 0;

  /// The times of the last run, in all processes.
  virtual Profile profile() const = 0;
  /// The trace of the last run; without PEs unless MachineOptions::trace is set.
  virtual Trace trace() const = 0;
};

/// Called by all processes of the run; uses the job's precision. `system` and `output` must outlive
/// it.
std::unique_ptr<Machinery> make_machinery(const System& system, const MachineOptions& options,
                                          OutputQueue& output);

}  // namespace fg::app
