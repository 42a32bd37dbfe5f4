// SPDX-License-Identifier: BSD-3-Clause
//
// A harmonic bond: E = 1/2 k (r - r0)^2.
// Source: Allen, Tildesley, Computer Simulation of Liquids, 2nd ed. (2017), appendix C.
// Units: bohr, hartree.
#pragma once

#include "forces/bonded/bonded_sums.hpp"
#include "particles/topology.hpp"

namespace fg {

/// `d` from the second atom to the first, the nearest image. The first atom's force; the second's
/// is its negative.
struct BondResult {
  double energy = 0;
  Vec3 force;
};
inline BondResult harmonic_bond(const Vec3& d, double length, double stiffness) noexcept {
  const double r = norm(d);
  const double stretch = r - length;
  // Two atoms in one place have no direction to be pushed in.
  const double pull = r > 0 ? -stiffness * stretch / r : 0.0;
  return {0.5 * stiffness * stretch * stretch, pull * d};
}

}  // namespace fg
