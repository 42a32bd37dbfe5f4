// SPDX-License-Identifier: BSD-3-Clause
//
// The trajectory of a run as H5MD 1.1 (de Buyl, Colberg, Hoefling, Comput. Phys. Commun. 185, 1546
// (2014); nongnu.org/h5md), units as attributes: nm, ps, nm ps-1, kJ mol-1 nm-1, u, e, and those of
// the observables.
// A frame or a row is in the file whole or not at all, whatever ends the run (journaled_file.hpp).
// Units: what comes in is in Hartree atomic units.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/vec3.hpp"
#include "records/job/job.hpp"
#include "records/trajectory/energies.hpp"
#include "records/trajectory/trajectory_contents.hpp"

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

  /// Positions with the number of boxes to add per axis: unwrapped they are position + image * box.
  /// In the file every atom is inside the box, so a molecule may be split. `velocities` may be
  /// empty unless they were requested.
  void write_frame(std::int64_t step, double time, const Box& box, std::span<const Vec3> positions,
                   std::span<const Int3> images, std::span<const Vec3> velocities);
  /// The cell may have any vectors. Positions may be anywhere; they are moved into the cell if it
  /// is periodic. `velocities` and `forces` may be empty unless they were requested.
  void write_frame(std::int64_t step, double time, const std::array<Vec3, 3>& cell,
                   std::span<const Vec3> positions, std::span<const Vec3> velocities,
                   std::span<const Vec3> forces);
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
