// SPDX-License-Identifier: BSD-3-Clause
#include "motion/verlet.hpp"

#include "motion/updates.hpp"

namespace fg {

ConstraintStatus verlet_first_half(MovingAtoms& atoms, const PatchConstraints& constraints,
                                   double timestep) noexcept {
  kick_and_drift(atoms, 0.5 * timestep, timestep);
  return constraints.apply_to_positions(atoms, 1.0 / timestep);
}

ConstraintStatus verlet_second_half(MovingAtoms& atoms, const PatchConstraints& constraints,
                                    double timestep) noexcept {
  kick(atoms, 0.5 * timestep);
  return constraints.apply_to_velocities(atoms);
}

}  // namespace fg
