// SPDX-License-Identifier: BSD-3-Clause
//
// Loops that the compiler vectorises by itself: slots fill whole vectors and are independent.
#include "motion/updates.hpp"

#include <algorithm>

namespace fg {

void kick(MovingAtoms& atoms, double time) noexcept {
  const double* __restrict inverse_mass = atoms.inverse_mass();
  const int slots = atoms.slots();
  for (int axis = 0; axis < 3; ++axis) {
    double* __restrict v = atoms.velocity()[axis];
    const double* __restrict f = atoms.force()[axis];
    for (int i = 0; i < slots; ++i) v[i] += time * inverse_mass[i] * f[i];
  }
}

void remember_positions(MovingAtoms& atoms) noexcept {
  for (int axis = 0; axis < 3; ++axis)
    std::copy_n(atoms.position()[axis], atoms.slots(), atoms.previous()[axis]);
}

void kick_and_drift(MovingAtoms& atoms, double kick_time, double drift_time) noexcept {
  const double* __restrict inverse_mass = atoms.inverse_mass();
  const int slots = atoms.slots();
  for (int axis = 0; axis < 3; ++axis) {
    double* __restrict x = atoms.position()[axis];
    double* __restrict v = atoms.velocity()[axis];
    double* __restrict previous = atoms.previous()[axis];
    const double* __restrict f = atoms.force()[axis];
    for (int i = 0; i < slots; ++i) {
      previous[i] = x[i];
      v[i] += kick_time * inverse_mass[i] * f[i];
      x[i] += drift_time * v[i];
    }
  }
}

void drift_with_noise(MovingAtoms& atoms, double time, double keep, double spread) noexcept {
  const double half = 0.5 * time;
  const double* __restrict root_inverse_mass = atoms.root_inverse_mass();
  const int slots = atoms.slots();
  for (int axis = 0; axis < 3; ++axis) {
    double* __restrict x = atoms.position()[axis];
    double* __restrict v = atoms.velocity()[axis];
    const float* __restrict noise = atoms.noise()[axis];
    for (int i = 0; i < slots; ++i) {
      const double before = v[i];
      const double after = keep * before + spread * root_inverse_mass[i] * noise[i];
      x[i] += half * (before + after);
      v[i] = after;
    }
  }
}

void shift_velocities(MovingAtoms& atoms, const Vec3& change) noexcept {
  const auto ids = atoms.ids();
  for (int axis = 0; axis < 3; ++axis) {
    double* v = atoms.velocity()[axis];
    for (int i = 0; i < atoms.slots(); ++i)
      if (ids[i] >= 0) v[i] += change[axis];
  }
}

}  // namespace fg
