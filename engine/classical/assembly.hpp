// SPDX-License-Identifier: BSD-3-Clause
//
// The objects of a run for one cut of the box: creates them, connects them, and maps them to PEs.
#pragma once

#include <memory>
#include <optional>

#include "classical/schedule.hpp"
#include "classical/state.hpp"
#include "classical/system.hpp"
#include "processes/machine_options.hpp"
#include "records/output_queue.hpp"
#include "runtime/runtime.hpp"

namespace fg::classical {

class Assembly {
 public:
  virtual ~Assembly() = default;

  /// Called by all processes: runs the steps of `schedule` from `state` to their end, or to a break
  /// as `next` has it. Throws the first error of any object; after that it cannot run again.
  virtual void run(const Schedule& schedule, const State& state) = 0;

  // In process 0, after a run:
  /// The state with which the run stopped to be continued: with another cut, or after a trial of
  /// another volume. None if it has ended.
  virtual std::optional<State> next() = 0;
  /// The energies of a schedule that weighs.
  virtual EnergyTotals weighed() const = 0;
  /// Whether the frame that ends a run has come.
  virtual bool finished() const = 0;
  /// The times of the last run, in all processes.
  virtual Profile profile() const = 0;

  virtual const Runtime& runtime() const = 0;
};

/// Called by all processes; uses the job's precision. `system` and `output` must outlive it.
std::unique_ptr<Assembly> make_assembly(const System& system, const MachineOptions& options,
                                        const Cut& cut, OutputQueue& output);

}  // namespace fg::classical
