// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <numbers>

#include "electrons/waves/harmonics.hpp"

namespace fg::electrons::reference {

std::vector<double> solid_harmonics(int l, const Vec3& r) {
  const double length = norm(r), azimuth = std::atan2(r.y, r.x);
  const double polar = std::atan2(std::hypot(r.x, r.y), r.z);
  std::vector<double> values;
  for (int m = -l; m <= l; ++m) {
    const unsigned order = static_cast<unsigned>(std::abs(m));
    // Its sign (-1)^m is that of Condon and Shortley, which real harmonics do not have.
    const double legendre = (m % 2 == 0 ? 1 : -1) *
                            std::sph_legendre(static_cast<unsigned>(l), order, polar) *
                            std::pow(length, l);
    if (m == 0)
      values.push_back(legendre);
    else
      values.push_back(std::numbers::sqrt2 * legendre *
                       (m > 0 ? std::cos(m * azimuth) : std::sin(-m * azimuth)));
  }
  return values;
}

}  // namespace fg::electrons::reference
