// SPDX-License-Identifier: BSD-3-Clause
//
// The objects of a simulation: creates them, maps them to PEs, and runs them over stretches of
// steps.
#pragma once

#include <memory>

#include "classical/keeper.hpp"
#include "classical/schedule.hpp"
#include "classical/state.hpp"
#include "classical/system.hpp"
#include "processes/machine_options.hpp"
#include "records/output_queue.hpp"
#include "runtime/profile.hpp"
#include "runtime/trace.hpp"

namespace fg::classical {

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

}  // namespace fg::classical
