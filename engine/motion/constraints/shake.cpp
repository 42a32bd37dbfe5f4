// SPDX-License-Identifier: BSD-3-Clause
//
// General constraint clusters: rare (rigid molecules other than the common water), so these are
// plain loops.
#include "motion/constraints/shake.hpp"

#include <cmath>

namespace fg {

void StarList::clear() noexcept {
  stars = padded = 0;
  centre.clear();
  centre_inverse_mass.clear();
  for (int k = 0; k < max_star_leaves; ++k) {
    leaf[k].clear();
    leaf_inverse_mass[k].clear();
    distance2[k].clear();
  }
}

void ShakeList::clear() noexcept {
  first.resize(1);
  bonds.clear();
}

namespace {

Vec3 difference(const ConstAxes& p, const ShakeBond& bond) noexcept {
  return {p[0][bond.b] - p[0][bond.a], p[1][bond.b] - p[1][bond.a], p[2][bond.b] - p[2][bond.a]};
}

ConstAxes constant(const Axes& a) noexcept {
  return {a[0], a[1], a[2]};
}

double speed_squared(const Axes& v, int slot) noexcept {
  return v[0][slot] * v[0][slot] + v[1][slot] * v[1][slot] + v[2][slot] * v[2][slot];
}

/// Adds `amount` times `along`, weighted by the inverse masses, to b and subtracts it from a.
void push_apart(const Axes& target, const ShakeBond& bond, const Vec3& along,
                double amount) noexcept {
  const double to_a = amount * bond.inverse_mass_a, to_b = amount * bond.inverse_mass_b;
  for (int axis = 0; axis < 3; ++axis) {
    target[axis][bond.a] -= to_a * along[axis];
    target[axis][bond.b] += to_b * along[axis];
  }
}

}  // namespace

int shake_clusters(const ShakeList& list, double tolerance, const ConstAxes& previous,
                   const Axes& position, const Axes& velocity, double inverse_timestep) noexcept {
  int failed = -1;
  for (int cluster = 0; cluster < list.clusters(); ++cluster) {
    bool solved = false;
    for (int sweep = 0; sweep < max_shake_iterations && !solved; ++sweep) {
      solved = true;
      for (int i = list.first[cluster]; i < list.first[cluster + 1]; ++i) {
        const ShakeBond& bond = list.bonds[i];
        const Vec3 now = difference(constant(position), bond);
        const double missing = bond.distance2 - dot(now, now);
        if (std::abs(missing) <= 2.0 * tolerance * bond.distance2) continue;
        solved = false;
        const Vec3 old = difference(previous, bond);
        const double g =
            missing / (2.0 * (bond.inverse_mass_a + bond.inverse_mass_b) * dot(old, now));
        push_apart(position, bond, old, g);
        push_apart(velocity, bond, old, g * inverse_timestep);
      }
    }
    if (!solved && failed < 0) failed = cluster;
  }
  return failed;
}

int rattle_clusters(const ShakeList& list, double tolerance, const ConstAxes& position,
                    const Axes& velocity) noexcept {
  int failed = -1;
  for (int cluster = 0; cluster < list.clusters(); ++cluster) {
    bool solved = false;
    for (int sweep = 0; sweep < max_shake_iterations && !solved; ++sweep) {
      solved = true;
      for (int i = list.first[cluster]; i < list.first[cluster + 1]; ++i) {
        const ShakeBond& bond = list.bonds[i];
        const Vec3 now = difference(position, bond);
        const Vec3 apart = difference(constant(velocity), bond);
        const double rate = dot(now, apart);
        // Relative to the speed of the atoms, so that the tolerance suits any temperature.
        const double speed2 = speed_squared(velocity, bond.a) + speed_squared(velocity, bond.b);
        if (rate * rate <= tolerance * tolerance * bond.distance2 * speed2) continue;
        solved = false;
        const double g = -rate / ((bond.inverse_mass_a + bond.inverse_mass_b) * dot(now, now));
        push_apart(velocity, bond, now, g);
      }
    }
    if (!solved && failed < 0) failed = cluster;
  }
  return failed;
}

}  // namespace fg
