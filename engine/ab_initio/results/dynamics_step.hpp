// SPDX-License-Identifier: BSD-3-Clause
//
// What a dynamics reports of a step. Units: Hartree atomic units.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ab_initio/results/ground_state.hpp"
#include "base/vec3.hpp"
#include "electrons/waves/lattice.hpp"

namespace fg::ab_initio {

struct DynamicsStep {
  std::int64_t number = 0;
  double time = 0;
  Energies energies;
  double ion_kinetic = 0, temperature = 0;  // k_B T
  double fictitious_kinetic = 0;            // of orbitals; 0 with Born-Oppenheimer dynamics
  double bath = 0;  // energy of the baths, which makes the sum a conserved one
  electrons::Lattice cell;
  double pressure = 0;                     // of ions and electrons, if the cell moves
  double cell_kinetic = 0, cell_work = 0;  // energy of the cell, and of the outer pressure
  double deviation = 0;    // largest component of <chi|chi> - 1 before it was mended
  int iterations = 0;      // of constraints, or of the search for the ground state
  bool was_reset = false;  // free orbitals have been made orthonormal
  double given_back = 0;   // fictitious kinetic energy that they would have lost by it
  /// Forces of the distances that are kept, positive where they push ions apart [hartree/bohr].
  std::vector<double> constraint_forces;
  /// The residual of the ground state: in Born-Oppenheimer dynamics, and at the start of each one.
  double residual = 0;
  double seconds = 0;                        // since the beginning
  std::optional<double> conserved_at_start;  // the conserved energy of step 0
  /// If a frame is due.
  std::vector<Vec3> positions, velocities, forces;

  double conserved() const noexcept {
    return energies.total() + ion_kinetic + fictitious_kinetic + bath + cell_kinetic + cell_work;
  }
};

}  // namespace fg::ab_initio
