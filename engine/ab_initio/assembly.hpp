// SPDX-License-Identifier: BSD-3-Clause
//
// Makes all objects of an ab initio run, connects them, and runs them.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "ab_initio/ground_state.hpp"
#include "ab_initio/job.hpp"
#include "ab_initio/progress_queue.hpp"
#include "ab_initio/search_state.hpp"
#include "ab_initio/stored_orbitals.hpp"
#include "processes/machine_options.hpp"
#include "runs/calculation.hpp"

namespace fg::ab_initio {

/// Where orbitals come from and go to.
struct KeptOrbitals {
  std::string path;                              // process 0: of the checkpoint; empty: none
  std::shared_ptr<const StoredOrbitals> stored;  // to start from; null: as the job says
  std::optional<SearchState> search;             // that goes on with them
};

class Assembly : public RunObjects {
 public:
  /// In process 0: brings the orbitals to their ground state; iterations go to the queue. Keeps the
  /// orbitals at the end, and whenever the queue says that a checkpoint is wanted.
  virtual GroundState find_ground_state() = 0;
};

/// Called by all processes. The job and the queue must outlive it.
std::unique_ptr<Assembly> make_assembly(const Job& job, const MachineOptions& options,
                                        ProgressQueue& progress, KeptOrbitals kept);

}  // namespace fg::ab_initio
