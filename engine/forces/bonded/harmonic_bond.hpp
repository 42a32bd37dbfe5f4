// SPDX-License-Identifier: BSD-3-Clause
//
// A harmonic bond: E = 1/2 k (r - r0)^2.
// Source: Allen, Tildesley, Computer Simulation of Liquids, 2nd ed. (2017), appendix C.
// Units: bohr, hartree.
#pragma once

#include "forces/bonded/bonded_sums.hpp"
#include "particles/topology.hpp"

namespace fg {

/// `d` is the vector from the second atom to the first, nearest image. `force` acts on the first
/// atom; the second atom gets its negative.
struct BondResult {
  double energy = 0;
  Vec3 force;
};
inline BondResult harmonic_bond(const Vec3& d, double length, double stiffness) noexcept {
  const double r = norm(d);
  const double stretch = r - length;
  // For two atoms at the same place the direction of the force is undefined.
  const double pull = r > 0 ? -stiffness * stretch / r : 0.0;
  return {0.5 * stiffness * stretch * stretch, pull * d};
}

}  // namespace fg
