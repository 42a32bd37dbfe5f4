// SPDX-License-Identifier: BSD-3-Clause
//
// The part of the mesh in an excluded pair, which has to be subtracted: E = -q erf(alpha r) / r.
// The pair kernels do so within their cutoff; this is for pairs that may get beyond it. Source:
// Essmann et al., J. Chem. Phys. 103, 8577 (1995), equation 2.5. Units: bohr, hartree, e.
#pragma once

#include <cmath>
#include <numbers>

#include "base/vec3.hpp"

namespace fg {

struct ExcludedResult {
  double energy = 0;
  Vec3 force;  // on the first atom
};

/// `d` from the second atom to the first, the nearest image.
inline ExcludedResult excluded_pair(const Vec3& d, double charge_product, double alpha) noexcept {
  const double r2 = dot(d, d), r = std::sqrt(r2), z = alpha * r;
  const double slope = 2 * alpha * std::numbers::inv_sqrtpi;
  if (z < 1e-3) {  // the series: the difference below would be all rounding
    return {-charge_product * slope * (1 - z * z / 3),
            d * (-charge_product * slope * alpha * alpha * 2 / 3)};
  }
  const double potential = std::erf(z) / r;
  return {-charge_product * potential,
          d * (-charge_product * (potential - slope * std::exp(-z * z)) / r2)};
}

}  // namespace fg
