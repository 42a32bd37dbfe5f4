// SPDX-License-Identifier: BSD-3-Clause
//
// The state from which a run continues with the same bits. A new checkpoint is written beside the
// old one and synced, and only then put in its place. So one whole checkpoint exists at any moment.
// It is sealed with SHA-256. Units: Hartree atomic units.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "motion/bath_state.hpp"
#include "motion/integrator.hpp"

namespace fg {

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
  /// Least-squares slope [hartree per au time]; NaN with fewer than two rows.
  double slope() const noexcept;
};

/// The slope in the field's units, kJ/mol/ps, for each atom.
double drift_per_atom(const DriftSums& drift, int atoms) noexcept;

/// What the results contain before the step of a checkpoint. The checkpoint is made only when this
/// is on the disk.
struct OutputPromise {
  std::int64_t begin = 0;  // first step of the results
  std::int64_t rows = 0;   // of energies
  std::int64_t frames = 0;
};

struct Checkpoint {
  std::int64_t step = 0;
  VelocityStage stage = VelocityStage::full;
  std::vector<Vec3> positions;
  std::vector<Vec3> velocities;
  std::vector<Int3> images;
  BathState bath;  // a checkpoint does not say whether its box is periodic; the job does
  std::uint64_t seed = 0;
  std::string job_digest;
  DriftSums drift;
  OutputPromise outputs;
};

/// Replaces `path`; the old file becomes previous_checkpoint(path).
void save_checkpoint(const std::string& path, const Checkpoint& checkpoint);

/// Makes a second name, previous_checkpoint(path), for the file `path` if there is one. So `path`
/// can be replaced and is a whole checkpoint at every moment.
void keep_as_previous(const std::string& path);

/// Reads and verifies a checkpoint. The InputError for a damaged file names the previous one if
/// that is whole.
Checkpoint load_checkpoint(const std::string& path);

/// "dir/checkpoint.h5" -> "dir/checkpoint_previous.h5"
std::string previous_checkpoint(const std::string& path);

/// Refuses a checkpoint that cuts the box into more patches than its job.
void check_division(const Checkpoint& checkpoint, const std::string& checkpoint_path,
                    const Int3& most);

/// Refuses a checkpoint that was not made by this job (digest, number of atoms, seed).
void check_belongs(const Checkpoint& checkpoint, const std::string& checkpoint_path,
                   const std::string& digest, int atoms);

}  // namespace fg
