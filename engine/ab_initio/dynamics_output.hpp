// SPDX-License-Identifier: BSD-3-Clause
//
// The files of a dynamics: table of energies, trajectory, lines of the log. Also the reports of its
// progress. The thread that called for the run writes them.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "ab_initio/job/job.hpp"
#include "ab_initio/results/dynamics_columns.hpp"
#include "ab_initio/results/dynamics_step.hpp"
#include "ab_initio/results/dynamics_watch.hpp"
#include "records/checkpoints/checkpoint.hpp"
#include "records/files/csv_table.hpp"
#include "records/log/run_log.hpp"
#include "records/options/run_result.hpp"
#include "records/trajectory/h5md.hpp"

namespace fg::ab_initio {

/// Where the results of an earlier part are continued.
struct GoneBefore {
  std::int64_t kept_up_to = 0;  // rows and frames of later steps are removed
  bool with_journal = true;     // of the trajectory (records/checkpoints/output_reach.hpp)
  DriftSums drift;              // of the rows that are kept
};

class DynamicsOutput {
 public:
  /// `written_before` is told the first step of which something may be missing in the files.
  DynamicsOutput(const Job& job, const std::string& folder, const std::optional<GoneBefore>& before,
                 std::atomic<std::int64_t>& written_before);

  /// Steps come in order. A frame is taken from those of which one is due; such a step has
  /// positions, velocities and forces.
  void write(const DynamicsStep& step, RunLog& log);
  /// Waits until all that was written is on the disk, so that a checkpoint may count on it.
  void sync();

  /// The last step written; -1: none.
  std::int64_t last_step() const noexcept { return latest_ ? latest_->number : -1; }
  /// The time of the steps so far, without the search for the first ground state; 0: none yet.
  double seconds() const noexcept { return latest_ ? latest_->seconds : 0; }
  /// The drift of the conserved energy, over all rows.
  const DriftSums& drift() const noexcept { return drift_; }
  /// Latest values in the usual units.
  void describe(Progress& progress) const noexcept;

 private:
  void say(const DynamicsStep& step, RunLog& log) const;

  const Job& job_;
  DynamicsRow row_;
  CsvTable table_;
  TrajectoryWriter trajectory_;
  DriftSums drift_;
  DynamicsWatch watch_;
  std::optional<DynamicsStep> latest_;  // without its vectors
  std::atomic<std::int64_t>& written_before_;
};

}  // namespace fg::ab_initio
