// SPDX-License-Identifier: BSD-3-Clause
//
// What a dynamics knows at a step besides vectors: its orbitals, their velocities, and the orbitals
// of steps before. With both it continues to the same bits. Units: Hartree atomic units.
#pragma once

#include <cstdint>
#include <vector>

#include "ab_initio/motion/cell_motion.hpp"
#include "ab_initio/motion/ion_bath.hpp"
#include "ab_initio/motion/nose_hoover.hpp"
#include "base/vec3.hpp"
#include "electrons/waves/lattice.hpp"

namespace fg::ab_initio {

struct DynamicsState {
  std::int64_t step = 0;
  double time = 0;
  double seconds = 0;                       // since the beginning
  double conserved_at_start = 0;            // the conserved energy of step 0
  std::vector<Vec3> positions, velocities;  // of ions; no velocities if they rest
  IonBathState ion_bath;
  electrons::Lattice cell;
  CellMotionState cell_motion;  // 0, unless the cell moves
  // The state of Car-Parrinello dynamics.
  NoseHooverState electron_bath;  // without links, if there is none
  double fictitious_kinetic = 0;
  double velocity_scale = 1;  // of the orbitals' velocities, which the next order applies
  bool was_reset = false;     // free orbitals are orthonormal
  // The state of Born-Oppenheimer dynamics.
  int past = 0;  // steps whose orbitals are remembered

  bool operator==(const DynamicsState&) const = default;
};

}  // namespace fg::ab_initio
