// SPDX-License-Identifier: BSD-3-Clause
//
// What a run of any kind promises to write: how often, and by which names it is found again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/units.hpp"
#include "records/job/job.hpp"
#include "records/trajectory/energy_rows.hpp"

namespace fg {

struct OutputPlan {
  double timestep = 0;                                        // [au]
  std::int64_t energy_interval = 0, trajectory_interval = 0;  // steps; 0: none
  bool velocities = false;
  bool forces = false;
  /// An observable of the trajectory, and the column of energies.csv (after step and time) that
  /// holds the same numbers.
  std::string observable = "total_energy";
  std::size_t column = StoredRow::total;
  /// The column of the conserved energy, and what a hartree is in it.
  std::size_t conserved = StoredRow::conserved;
  double hartree = units::hartree_in_kj_per_mol;
};

inline OutputPlan output_plan(const Job& job) {
  const JobDynamics& dynamics = job.dynamics;
  return {.timestep = dynamics.timestep,
          .energy_interval = dynamics.energy_interval,
          .trajectory_interval = dynamics.trajectory_interval,
          .velocities = dynamics.trajectory_velocities};
}

}  // namespace fg
