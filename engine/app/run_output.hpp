// SPDX-License-Identifier: BSD-3-Clause
//
// Everything a run leaves behind, written by the thread that called for the run: trajectory, table
// of energies, checkpoints; and what the user is told meanwhile.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/checkpoint.hpp"
#include "app/evaluate.hpp"
#include "app/h5md.hpp"
#include "app/simulation.hpp"

namespace fg::app {

class RunOutput {
 public:
  /// `start` is where the run begins; `resumed` tells whether earlier results are to be kept;
  /// `written_before` is told the first step of which something may still be missing in the files.
  RunOutput(const System& system, std::string folder, const State& start, bool resumed,
            const DriftSums& drift, std::atomic<std::int64_t>& written_before);

  void write(const EnergyTotals& totals);
  void write(Frame frame);
  /// Writes what waited for something else; after the last output.
  void finish();

  /// After a failure: saves the checkpoint that waits, if there is one. Returns why it could not.
  std::string rescue();

  /// Steps up to which a checkpoint has been saved; -1: none.
  std::int64_t saved_step() const noexcept { return saved_step_; }
  std::string checkpoint_path() const { return folder_ + "/checkpoint.h5"; }
  /// What is not as it should be with the files that were gone on with.
  std::vector<std::string> warnings() const;

  /// Of all energy rows so far [kJ/mol/ps per atom].
  double energy_drift() const noexcept;
  /// Latest values in the field's units.
  void describe(Progress& progress) const noexcept;

 private:
  void tell_written() noexcept;
  void unwrap(Frame& frame) const noexcept;
  void save(const Frame& frame);
  void save_if_whole();
  bool energies_whole_before(std::int64_t step) const noexcept;
  DriftSums drift_before(std::int64_t step) const noexcept;
  void forget_before(std::int64_t step) noexcept;

  const System& system_;
  std::string folder_;
  PotentialTerms terms_;
  DriftSums saved_drift_;  // of the rows before the last checkpoint
  DriftSums drift_;        // of all rows
  std::int64_t first_;
  EnergyTable table_;
  TrajectoryWriter trajectory_;
  std::string digest_;
  std::vector<EnergyRow> rows_;   // since the last checkpoint, ascending
  EnergyRow latest_;              // step -1: none
  std::optional<Frame> waiting_;  // a checkpoint whose energies are not yet all in
  std::optional<Frame> last_frame_;
  std::int64_t saved_step_ = -1;
  std::int64_t next_row_, next_frame_;  // steps
  std::atomic<std::int64_t>& written_before_;
};

}  // namespace fg::app
