// SPDX-License-Identifier: BSD-3-Clause
//
// The objects of a run for one division of the box: creates them, connects them, and maps them to
// PEs.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "classical/job/schedule.hpp"
#include "classical/job/system.hpp"
#include "classical/state.hpp"
#include "processes/machine_options.hpp"
#include "records/trajectory/output_queue.hpp"
#include "runtime/runtime.hpp"

namespace fg::classical {

/// The time that each element of an array has taken so far, in ticks of the clock.
struct ArrayLoads {
  std::string_view array;
  std::vector<std::uint64_t> ticks;
};

class Assembly {
 public:
  virtual ~Assembly() = default;

  // The atoms of a state, and positions, are those that process 0 gives; others may have none.
  /// Called by all processes, between runs: first places again, for a state that was not known when
  /// the objects were made.
  virtual void place_for(const State& state) = 0;

  /// Called by all processes. Runs the steps of `schedule` from `state` to their end, or to a break
  /// (see `next`). Throws the first error of any object; after that it cannot run again.
  virtual void run(const Schedule& schedule, const State& state) = 0;

  /// The loads of the arrays that have a map. Called by all processes, after a run with a profile.
  virtual std::vector<ArrayLoads> loads() = 0;

  // In process 0, after a run:
  /// The state with which the run stopped to be continued: with another division, or after a trial
  /// of another volume. None if it has ended.
  virtual std::optional<State> next() = 0;
  /// The energies of a schedule that weighs.
  virtual EnergyTotals weighed() const = 0;
  /// Whether the frame that ends a run has come.
  virtual bool finished() const = 0;
  /// The times of the last run, in all processes.
  virtual Profile profile() const = 0;

  virtual const Runtime& runtime() const = 0;
};

/// Called by all processes; uses the job's precision. `system` and `output` must outlive it. The
/// objects get their first places for these positions in this box, which only process 0 needs.
std::unique_ptr<Assembly> make_assembly(const System& system, const MachineOptions& options,
                                        const BoxDivision& division, const Box& box,
                                        std::span<const Vec3> positions, OutputQueue& output);

}  // namespace fg::classical
