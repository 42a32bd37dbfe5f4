// SPDX-License-Identifier: BSD-3-Clause
//
// Makes all objects of an ab initio run, connects them, and runs them.
#pragma once

#include <memory>

#include "ab_initio/ground_state.hpp"
#include "ab_initio/job.hpp"
#include "ab_initio/progress_queue.hpp"
#include "processes/machine_options.hpp"
#include "runs/calculation.hpp"

namespace fg::ab_initio {

class Assembly : public RunObjects {
 public:
  /// In process 0: brings the orbitals to their ground state; iterations go to the queue.
  virtual GroundState find_ground_state() = 0;
};

/// Called by all processes. The job and the queue must outlive it.
std::unique_ptr<Assembly> make_assembly(const Job& job, const MachineOptions& options,
                                        ProgressQueue& progress);

}  // namespace fg::ab_initio
