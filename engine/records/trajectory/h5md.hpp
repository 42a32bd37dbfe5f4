// SPDX-License-Identifier: BSD-3-Clause
//
// The trajectory of a run as H5MD 1.1 (de Buyl, Colberg, Hoefling, Comput. Phys. Commun. 185, 1546
// (2014); nongnu.org/h5md), units as attributes: nm, ps, nm ps-1, kJ mol-1 nm-1, u, e, and those of
// the observables.
// A frame or a row is in the file whole or not at all, whatever ends the run (journaled_file.hpp).
// Units: what comes in is in Hartree atomic units.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "records/job/job.hpp"
#include "records/trajectory/energies.hpp"
#include "records/trajectory/trajectory_contents.hpp"
#include "records/trajectory/trajectory_frame.hpp"

namespace fg {

struct TrajectoryOptions {
  bool velocities = false;
  bool forces = false;
  std::string author = "finegrain user";
  /// Frames and rows of later steps are removed before new ones are appended.
  std::optional<std::int64_t> resume_after = std::nullopt;
  /// What the journal of a broken-off run holds belongs to the file.
  bool with_journal = true;
};

class TrajectoryWriter {
 public:
  TrajectoryWriter(std::string path, const Job& job, std::vector<std::string> term_names,
                   TrajectoryOptions options = {});
  TrajectoryWriter(std::string path, const TrajectoryContents& contents,
                   TrajectoryOptions options = {});
  ~TrajectoryWriter();
  TrajectoryWriter(const TrajectoryWriter&) = delete;
  TrajectoryWriter& operator=(const TrajectoryWriter&) = delete;

  void write_frame(const TrajectoryFrame& frame);
  void write_energies(const EnergyRow& row);
  /// A value for each observable, in its unit.
  void write_observables(std::int64_t step, double time, std::span<const double> values);

  /// Frames in the file, including those before a resumption.
  std::int64_t frames() const noexcept;
  /// Waits until everything written so far is on the disk, and safe from what comes after.
  void sync();
  const std::string& path() const noexcept { return path_; }

 private:
  struct File;
  void open(const TrajectoryContents& contents, const TrajectoryOptions& options);

  std::string path_;
  std::unique_ptr<File> file_;
};

}  // namespace fg
