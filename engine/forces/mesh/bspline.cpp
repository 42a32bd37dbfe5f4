// SPDX-License-Identifier: BSD-3-Clause
#include "forces/mesh/bspline.hpp"

#include <cmath>
#include <numbers>

#include "base/elementary.hpp"

namespace fg {

double bspline(int order, double x) noexcept {
  if (x <= 0 || x >= order) return 0;
  if (order == 2) return 1 - std::abs(x - 1);
  return (x * bspline(order - 1, x) + (order - x) * bspline(order - 1, x - 1)) / (order - 1);
}

void bspline_weights(int order, double w, std::span<double> weights,
                     std::span<double> derivatives) noexcept {
  for (int j = 0; j < order; ++j) {
    const double x = w + order - 1 - j;
    weights[j] = bspline(order, x);
    derivatives[j] = bspline(order - 1, x) - bspline(order - 1, x - 1);
  }
}

std::vector<double> bspline_moduli(int order, int points) {
  // The highest order is 8; up to there the least modulus of an even order is above 1e-5.
  constexpr double zero = 1e-7;
  std::vector<double> moduli(points);
  for (int m = 0; m < points; ++m) {
    double re = 0, im = 0;
    for (int k = 0; k + 1 < order; ++k) {
      const double phase = 2 * std::numbers::pi * m * k / points;
      re += bspline(order, k + 1) * elementary::cos(phase);
      im += bspline(order, k + 1) * elementary::sin(phase);
    }
    moduli[m] = re * re + im * im;
  }
  for (int m = 0; m < points; ++m)
    if (moduli[m] < zero)
      moduli[m] = (moduli[(m + points - 1) % points] + moduli[(m + 1) % points]) / 2;
  return moduli;
}

}  // namespace fg
