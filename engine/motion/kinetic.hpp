// SPDX-License-Identifier: BSD-3-Clause
//
// Sums over the velocities of a patch. Sums run in slot order, so they depend only on the slots of
// the atoms. The caller sums over patches (fixed point or index order). Units: Hartree atomic
// units.
#pragma once

#include <array>

#include "base/vec3.hpp"
#include "motion/atoms/moving_atoms.hpp"

namespace fg {

/// 1/2 sum m v^2 [hartree]
double kinetic_energy(const MovingAtoms& atoms) noexcept;

/// sum m v
Vec3 momentum(const MovingAtoms& atoms) noexcept;

/// sum m
double total_mass(const MovingAtoms& atoms) noexcept;

enum class CentreOfMass { moves, held };

/// The number of independent directions of motion of a whole system.
int degrees_of_freedom(int atoms, int constraints, CentreOfMass centre) noexcept;

/// k_B T from twice the kinetic energy per degree of freedom [hartree]; 0 without degrees of
/// freedom.
double temperature_of(double kinetic_energy, int degrees_of_freedom) noexcept;

}  // namespace fg
