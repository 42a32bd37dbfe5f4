// SPDX-License-Identifier: BSD-3-Clause
//
// All files of a run, written by the thread that called for the run. They are trajectory, table of
// energies and checkpoints. Also the progress report.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "classical/evaluate.hpp"
#include "records/checkpoints/checkpoint.hpp"
#include "records/checkpoints/resumption.hpp"
#include "records/options/run_result.hpp"
#include "records/trajectory/h5md.hpp"

namespace fg::classical {

class RunOutput {
 public:
  /// The run begins at `start`. If it continues another run, `resumed` says where, and earlier
  /// results are kept. `written_before` gets the first step of which something may still be missing
  /// in the files.
  RunOutput(const System& system, std::string folder, const State& start, const Resumption* resumed,
            std::atomic<std::int64_t>& written_before);

  void write(const EnergyTotals& totals);
  void write(Frame frame);
  /// Writes what still waits; call it after the last output.
  void finish();

  /// The step up to which a checkpoint has been saved; -1: none.
  std::int64_t saved_step() const noexcept { return saved_step_; }
  std::string checkpoint_path() const { return folder_ + "/checkpoint.h5"; }
  /// The drift of the conserved energy over all rows [kJ/mol/ps per atom]; NaN with fewer than two.
  double energy_drift() const noexcept;
  /// Latest values in the usual units.
  void describe(Progress& progress) const noexcept;

 private:
  void tell_written() noexcept;
  void save(const Frame& frame);
  void save_if_whole();
  void write_early_frames();
  bool whole_before(std::int64_t step) const noexcept;
  DriftSums drift_before(std::int64_t step) const;
  void forget_before(std::int64_t step);

  const System& system_;
  std::string folder_;
  PotentialTerms terms_;
  DriftSums saved_drift_;  // for the rows before the last checkpoint
  DriftSums drift_;        // for all rows
  std::int64_t begin_;     // step that the files begin with
  EnergyTable table_;
  TrajectoryWriter trajectory_;
  std::string digest_;
  std::vector<EnergyRow> rows_;          // since the last checkpoint, ascending
  EnergyRow latest_;                     // step -1: none
  double work_ = 0;                      // of scalings of the box up to that row
  std::map<std::int64_t, Frame> early_;  // frames whose turn has not come
  std::optional<Frame> waiting_;         // a checkpoint whose energies are not yet all in
  std::optional<Frame> last_frame_;
  std::int64_t saved_step_ = -1;
  std::int64_t next_row_, next_frame_;  // steps
  std::atomic<std::int64_t>& written_before_;
};

}  // namespace fg::classical
