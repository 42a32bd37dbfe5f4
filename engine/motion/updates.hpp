// SPDX-License-Identifier: BSD-3-Clause
//
// The linear parts of the integrators, each a loop over all slots of a patch.
// Units: Hartree atomic units.
#pragma once

#include "motion/atoms/moving_atoms.hpp"

namespace fg {

/// velocity += time * force / mass
void kick(MovingAtoms& atoms, double time) noexcept;

/// previous = position
void remember_positions(MovingAtoms& atoms) noexcept;

/// remember_positions, kick, and position += drift_time * velocity, in one pass over the memory.
void kick_and_drift(MovingAtoms& atoms, double kick_time, double drift_time) noexcept;

/// Half drift, velocity = keep * velocity + spread * noise / sqrt(mass), half drift, with the
/// numbers in atoms.noise(). `time` is the whole step.
void drift_with_noise(MovingAtoms& atoms, double time, double keep, double spread) noexcept;

/// velocity += change, for every atom.
void shift_velocities(MovingAtoms& atoms, const Vec3& change) noexcept;

}  // namespace fg
