// SPDX-License-Identifier: BSD-3-Clause
#include "support/references/motion/motion_references.hpp"

namespace fg {

void drift_with_noise_reference(MovingAtoms& atoms, double time, double keep,
                                double spread) noexcept {
  const double half = 0.5 * time;
  const double* root_inverse_mass = atoms.root_inverse_mass();
  for (int axis = 0; axis < 3; ++axis) {
    double* x = atoms.position()[axis];
    double* v = atoms.velocity()[axis];
    const float* noise = atoms.noise()[axis];
    for (int i = 0; i < atoms.slots(); ++i) {
      x[i] += half * v[i];
      v[i] = keep * v[i] + spread * root_inverse_mass[i] * noise[i];
      x[i] += half * v[i];
    }
  }
}

}  // namespace fg
