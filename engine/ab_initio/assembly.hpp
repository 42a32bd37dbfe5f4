// SPDX-License-Identifier: BSD-3-Clause
//
// Makes all objects of an ab initio run, connects them, and runs them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "ab_initio/job/job.hpp"
#include "ab_initio/orbitals/search_state.hpp"
#include "ab_initio/orders/dynamics_state.hpp"
#include "ab_initio/results/ground_state.hpp"
#include "ab_initio/results/progress_queue.hpp"
#include "processes/machine_options.hpp"
#include "runs/calculation.hpp"

namespace fg::ab_initio {

/// Where orbitals come from and go to.
struct KeptOrbitals {
  std::string path;                       // of the checkpoint; empty: none is written
  std::string source, group;              // file and group to start from; empty: as the job says
  std::optional<SearchState> search;      // that continues with them
  std::optional<DynamicsState> dynamics;  // likewise, if its steps have begun
  std::int64_t stop_after = -1;           // an iteration or step; negative: none
  /// A checkpoint of a dynamics waits until somebody has taken its results from the queue and
  /// written them.
  bool after_results = false;
};

class Assembly : public RunObjects {
 public:
  /// In process 0: brings the orbitals to their ground state; iterations go to the queue. Keeps the
  /// orbitals at the end, and whenever the queue says that a checkpoint is wanted.
  virtual GroundState find_ground_state() = 0;

  /// The same with the ions at these positions [ions]. It starts from what the last searches of
  /// this object make likely for the orbitals. The first search starts as the job says. Throws
  /// InputError if the job has a dispersion that is known at its own positions only.
  virtual GroundState find_ground_state(std::span<const Vec3> positions) = 0;

  /// The same in another cell, with the waves that the job has. Their indices stay, so with a
  /// smaller cell the effective cutoff is higher. Throws InputError also
  /// - if the job is of a molecule without images;
  /// - if a vector of the cell is not finite, or the three lie in a plane;
  /// - if the cell is so small that a wave is beyond the tables of the job.
  virtual GroundState find_ground_state(std::span<const Vec3> positions,
                                        const electrons::Lattice& cell) = 0;

  /// Writes the orbitals with which the last search has ended into this file, in a run of one
  /// process. Throws ResourceError.
  virtual void save_orbitals(const std::string& path) = 0;

  /// The ground state of the job, and then its dynamics; steps go to the queue too. The results are
  /// those of the last step.
  virtual GroundState run_dynamics() = 0;

  /// Continues the dynamics with which the last run has ended, up to its last step. The time step
  /// is that of the job now.
  virtual GroundState continue_dynamics() = 0;
};

/// Called by all processes. The job and the queue must outlive it. Without `kept` nothing is kept.
std::unique_ptr<Assembly> make_assembly(const Job& job, const MachineOptions& options,
                                        ProgressQueue& progress, KeptOrbitals kept = {});

}  // namespace fg::ab_initio
