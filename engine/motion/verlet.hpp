// SPDX-License-Identifier: BSD-3-Clause
//
// Velocity Verlet with RATTLE: positions and velocities at the same time; conserves the energy.
// Source: Swope, Andersen, Berens, Wilson, J. Chem. Phys. 76, 637 (1982); Andersen, J. Comput.
// Phys. 52, 24 (1983). Units: Hartree atomic units.
#pragma once

#include "motion/atoms/moving_atoms.hpp"
#include "motion/constraints/constraints.hpp"

namespace fg {

/// Takes positions, velocities and forces at t: finds velocities at t + dt/2, positions at t + dt.
ConstraintStatus verlet_first_half(MovingAtoms& atoms, const PatchConstraints& constraints,
                                   double timestep) noexcept;

/// Takes the forces at t + dt: finds velocities at t + dt.
ConstraintStatus verlet_second_half(MovingAtoms& atoms, const PatchConstraints& constraints,
                                    double timestep) noexcept;

}  // namespace fg
