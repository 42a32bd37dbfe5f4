// SPDX-License-Identifier: BSD-3-Clause
#include "motion/kinetic.hpp"

namespace fg {

namespace {

constexpr int lanes = MotionLayout::slot_multiple;

/// The sum of value(i) over all slots in eight interleaved parts, added in a fixed order.
template <class Value>
double slot_sum(int slots, const Value& value) noexcept {
  double part[lanes] = {};
  for (int i = 0; i < slots; i += lanes)
    for (int k = 0; k < lanes; ++k) part[k] += value(i + k);
  return ((part[0] + part[4]) + (part[1] + part[5])) + ((part[2] + part[6]) + (part[3] + part[7]));
}

}  // namespace

double kinetic_energy(const MovingAtoms& atoms) noexcept {
  const double* m = atoms.mass();
  const auto [x, y, z] = atoms.velocity();
  return 0.5 * slot_sum(atoms.slots(), [m, x = x, y = y, z = z](int i) {
           return m[i] * (x[i] * x[i] + y[i] * y[i] + z[i] * z[i]);
         });
}

Vec3 momentum(const MovingAtoms& atoms) noexcept {
  const double* m = atoms.mass();
  Vec3 sum;
  for (int axis = 0; axis < 3; ++axis) {
    const double* v = atoms.velocity()[axis];
    sum[axis] = slot_sum(atoms.slots(), [m, v](int i) { return m[i] * v[i]; });
  }
  return sum;
}

double total_mass(const MovingAtoms& atoms) noexcept {
  const double* m = atoms.mass();
  return slot_sum(atoms.slots(), [m](int i) { return m[i]; });
}

int degrees_of_freedom(int atoms, int constraints, CentreOfMass centre) noexcept {
  const int free = 3 * atoms - constraints - (centre == CentreOfMass::held ? 3 : 0);
  return free > 0 ? free : 0;
}

double temperature_of(double kinetic_energy, int degrees_of_freedom) noexcept {
  return degrees_of_freedom > 0 ? 2.0 * kinetic_energy / degrees_of_freedom : 0.0;
}

}  // namespace fg
