// SPDX-License-Identifier: BSD-3-Clause
//
// Stars one at a time, by SHAKE and RATTLE bond after bond until nothing changes: another method
// for the same result as the Newton steps of shake_stars.cpp.
#include <cmath>

#include "support/references/motion/motion_references.hpp"

namespace fg {

namespace {

Vec3 read(const ConstAxes& a, std::int64_t i) noexcept {
  return {a[0][i], a[1][i], a[2][i]};
}
Vec3 read(const Axes& a, std::int64_t i) noexcept {
  return {a[0][i], a[1][i], a[2][i]};
}
void add(const Axes& a, std::int64_t i, const Vec3& v) noexcept {
  a[0][i] += v.x, a[1][i] += v.y, a[2][i] += v.z;
}

// Far more sweeps than a star needs, and a tolerance tighter than any in use.
constexpr int sweeps = 1000;
constexpr double tight = 1e-15;

}  // namespace

int shake_stars_reference(int leaves, const StarList& list, double tolerance,
                          const ConstAxes& previous, const Axes& position, const Axes& velocity,
                          double inverse_timestep) noexcept {
  int failed = -1;
  for (int star = 0; star < list.stars; ++star) {
    const std::int64_t centre = list.centre[star];
    const double inverse_mass_c = list.centre_inverse_mass[star];
    double worst = 1.0;
    for (int sweep = 0; sweep < sweeps && worst > tight; ++sweep) {
      worst = 0.0;
      for (int k = 0; k < leaves; ++k) {
        const std::int64_t leaf = list.leaf[k][star];
        const double inverse_mass_l = list.leaf_inverse_mass[k][star];
        const Vec3 bond = read(previous, leaf) - read(previous, centre);
        const Vec3 now = read(position, leaf) - read(position, centre);
        const double missing = list.distance2[k][star] - dot(now, now);
        const double g = missing / (2.0 * (inverse_mass_c + inverse_mass_l) * dot(bond, now));
        add(position, leaf, inverse_mass_l * g * bond);
        add(position, centre, -inverse_mass_c * g * bond);
        add(velocity, leaf, inverse_timestep * inverse_mass_l * g * bond);
        add(velocity, centre, -inverse_timestep * inverse_mass_c * g * bond);
        worst = std::fmax(worst, std::abs(missing) / list.distance2[k][star]);
      }
    }
    if (!(worst <= 2.0 * tolerance) && failed < 0) failed = star;
  }
  return failed;
}

void rattle_stars_reference(int leaves, const StarList& list, const ConstAxes& position,
                            const Axes& velocity) noexcept {
  for (int star = 0; star < list.stars; ++star) {
    const std::int64_t centre = list.centre[star];
    const double inverse_mass_c = list.centre_inverse_mass[star];
    for (int sweep = 0; sweep < sweeps; ++sweep)
      for (int k = 0; k < leaves; ++k) {
        const std::int64_t leaf = list.leaf[k][star];
        const double inverse_mass_l = list.leaf_inverse_mass[k][star];
        const Vec3 bond = read(position, leaf) - read(position, centre);
        const double rate = dot(bond, read(velocity, leaf) - read(velocity, centre));
        const double g = rate / ((inverse_mass_c + inverse_mass_l) * dot(bond, bond));
        add(velocity, leaf, -inverse_mass_l * g * bond);
        add(velocity, centre, inverse_mass_c * g * bond);
      }
  }
}

}  // namespace fg
