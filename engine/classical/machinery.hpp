// SPDX-License-Identifier: BSD-3-Clause
//
// Runs the objects of a simulation over stretches of steps. Between two stretches it replaces them
// if the box needs another division. With a barostat of the Monte Carlo kind it tries another
// volume.
#pragma once

#include <memory>

#include "classical/job/schedule.hpp"
#include "classical/job/system.hpp"
#include "classical/state.hpp"
#include "processes/machine_options.hpp"
#include "records/trajectory/output_queue.hpp"
#include "runs/calculation.hpp"
#include "topology/placement/pe_layout.hpp"

namespace fg::classical {

class Machinery : public RunObjects {
 public:
  /// Runs the steps of `schedule` from `state`, and returns when all results have been put into the
  /// output queue. Throws the first error of any object; after that the machinery cannot run again.
  /// Otherwise it may be called again. In process 0 only.
  virtual void run(const Schedule& schedule, const State& state) = 0;
  /// The PEs of all processes.
  virtual topology::PeLayout layout() const = 0;
};

/// Called by all processes of the run; uses the job's precision. `system` and `output` must outlive
/// it.
std::unique_ptr<Machinery> make_machinery(const System& system, const MachineOptions& options,
                                          OutputQueue& output);

}  // namespace fg::classical
