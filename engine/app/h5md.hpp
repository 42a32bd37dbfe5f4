// SPDX-License-Identifier: BSD-3-Clause
//
// The trajectory of a run as H5MD 1.1 (de Buyl, Colberg, Hoefling, Comput. Phys. Commun. 185, 1546
// (2014); nongnu.org/h5md), units as attributes: nm, ps, nm ps-1, kJ mol-1, K, u, e.
// After every frame and row the file on disk is whole, so that a killed run leaves a readable one.
// Units: what comes in is in Hartree atomic units.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/energies.hpp"
#include "app/job.hpp"
#include "base/vec3.hpp"

namespace fg::app {

struct TrajectoryOptions {
  bool velocities = false;
  std::string author = "finegrain user";
  /// Frames and rows of later steps are removed before new ones are appended.
  std::optional<std::int64_t> resume_after = std::nullopt;
};

class TrajectoryWriter {
 public:
  TrajectoryWriter(std::string path, const Job& job, std::vector<std::string> term_names,
                   TrajectoryOptions options = {});
  ~TrajectoryWriter();
  TrajectoryWriter(const TrajectoryWriter&) = delete;
  TrajectoryWriter& operator=(const TrajectoryWriter&) = delete;

  /// Positions inside the box with the number of boxes to add per axis (the unwrapped position is
  /// position + image * box); `velocities` may be empty unless they were asked for.
  void write_frame(std::int64_t step, double time, std::span<const Vec3> positions,
                   std::span<const Int3> images, std::span<const Vec3> velocities);
  void write_energies(const EnergyRow& row);

  /// Frames in the file, those before a resumption included.
  std::int64_t frames() const noexcept;
  /// What happened to an older, unreadable trajectory on resumption; empty when nothing did.
  const std::string& warning() const noexcept { return warning_; }
  const std::string& path() const noexcept { return path_; }

 private:
  struct File;
  std::string path_;
  std::string warning_;
  std::unique_ptr<File> file_;
};

}  // namespace fg::app
