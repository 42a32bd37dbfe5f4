// SPDX-License-Identifier: BSD-3-Clause
//
// A pair with its own Lennard-Jones parameters and charge product, mostly 1-4 neighbours:
// E = 4 epsilon ((sigma/r)^12 - (sigma/r)^6) + q/r, without a cutoff.
// Source: Allen, Tildesley, Computer Simulation of Liquids, 2nd ed. (2017), equations 1.6 and 1.9.
// Units: bohr, hartree, e.
#pragma once

#include <cmath>

#include "base/vec3.hpp"

namespace fg {

struct ExceptionResult {
  double lennard_jones = 0;
  double coulomb = 0;
  Vec3 force;  // on the first atom
};

/// `d` is the vector from the second atom to the first, nearest image.
inline ExceptionResult exception_pair(const Vec3& d, double charge_product, double sigma,
                                      double epsilon) noexcept {
  const double inverse2 = 1.0 / dot(d, d);
  const double s2 = sigma * sigma * inverse2;
  const double s6 = s2 * s2 * s2;
  const double coulomb = charge_product * std::sqrt(inverse2);
  const double repulsion = 4.0 * epsilon * s6 * s6;
  const double attraction = 4.0 * epsilon * s6;
  const double pull = (12.0 * repulsion - 6.0 * attraction + coulomb) * inverse2;
  return {repulsion - attraction, coulomb, pull * d};
}

}  // namespace fg
