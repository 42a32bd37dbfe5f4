// SPDX-License-Identifier: BSD-3-Clause
//
// Velocities drawn from the Maxwell-Boltzmann distribution, one set per seed, independent of the
// patches.
// Units: Hartree atomic units.
#pragma once

#include <cstdint>

#include "motion/atoms/moving_atoms.hpp"
#include "motion/constraints/constraints.hpp"

namespace fg {

/// Sets every velocity from normals keyed (seed, atom id). Then removes the components that the
/// constraints forbid, which leaves the right distribution on the allowed directions. The caller
/// removes the momentum of the whole system with `shift_velocities`. `temperature` is k_B T.
ConstraintStatus draw_velocities(MovingAtoms& atoms, const PatchConstraints& constraints,
                                 double temperature, std::uint64_t seed) noexcept;

}  // namespace fg
