// SPDX-License-Identifier: BSD-3-Clause
#include "motion/initial_velocities.hpp"

#include <cmath>

#include "base/philox.hpp"

namespace fg {

ConstraintStatus draw_velocities(MovingAtoms& atoms, const PatchConstraints& constraints,
                                 double temperature, std::uint64_t seed) noexcept {
  normal_triples({seed, 0, RandomPurpose::initial_velocity}, atoms.ids(), atoms.noise());
  const double* root_inverse_mass = atoms.root_inverse_mass();
  const double spread = std::sqrt(temperature);
  for (int axis = 0; axis < 3; ++axis) {
    double* v = atoms.velocity()[axis];
    const float* noise = atoms.noise()[axis];
    for (int i = 0; i < atoms.slots(); ++i) v[i] = spread * root_inverse_mass[i] * noise[i];
  }
  return constraints.apply_to_velocities(atoms);
}

}  // namespace fg
