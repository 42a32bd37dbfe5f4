// SPDX-License-Identifier: BSD-3-Clause
//
// The state from which a run goes on to the bit. Written beside the old one, synced, and only then
// put in its place, so that one whole checkpoint exists at any moment; sealed with SHA-256.
// Units: Hartree atomic units.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/vec3.hpp"

namespace fg::app {

/// Whether the velocities belong to the time of the positions or lie half a step behind them.
enum class VelocityStage { full, half };

/// Sums for the slope of the conserved energy over time.
struct DriftSums {
  std::int64_t rows = 0;
  double first_time = 0;
  double first_energy = 0;  // subtracted from all others before they are summed
  double time = 0;
  double time_squared = 0;
  double energy = 0;
  double time_energy = 0;

  void add(double at, double conserved_energy) noexcept;
  /// Least-squares slope [hartree per au time]; 0 with fewer than two rows.
  double slope() const noexcept;
};

struct Checkpoint {
  std::int64_t step = 0;
  VelocityStage stage = VelocityStage::full;
  std::vector<Vec3> positions;
  std::vector<Vec3> velocities;
  std::vector<Int3> images;
  Vec3 box;
  std::uint64_t seed = 0;
  std::string job_digest;
  DriftSums drift;
};

/// Replaces `path`; what was there becomes previous_checkpoint(path).
void save_checkpoint(const std::string& path, const Checkpoint& checkpoint);

/// Reads and verifies; the InputError for a damaged file names the previous one if that is whole.
Checkpoint load_checkpoint(const std::string& path);

/// "dir/checkpoint.h5" -> "dir/checkpoint_previous.h5"
std::string previous_checkpoint(const std::string& path);

/// Refuses a checkpoint that was not made by this job (digest, number of atoms, seed).
void check_belongs(const Checkpoint& checkpoint, const std::string& checkpoint_path,
                   const std::string& digest, int atoms);

}  // namespace fg::app
