// SPDX-License-Identifier: BSD-3-Clause
#include "forces/mesh/bspline.hpp"

#include <cmath>
#include <numbers>
#include <utility>

#include "base/elementary.hpp"

namespace fg {

namespace {

/// M_n(k) for k = 0 .. order, which the recursion over whole numbers gives without branching.
std::vector<double> at_whole_numbers(int order) {
  std::vector<double> values{0, 1, 0};
  for (int n = 3; n <= order; ++n) {
    std::vector<double> next(n + 1);
    for (int k = 1; k < n; ++k) next[k] = (k * values[k] + (n - k) * values[k - 1]) / (n - 1);
    values = std::move(next);
  }
  return values;
}

}  // namespace

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

std::vector<ImageSums> bspline_image_sums(int order, int points) {
  // W^2 is the transform of the spline of twice the order about its middle, s W^2 and s^2 W^2 are
  // those of its derivatives. The first one is a difference of two splines of one order less, and
  // the second one a second difference of splines of two orders less.
  const auto even = at_whole_numbers(2 * order);
  const auto odd = at_whole_numbers(2 * order - 1);
  const auto lower = at_whole_numbers(2 * order - 2);
  std::vector<ImageSums> sums(points);
  for (int k = 0; k < points; ++k) {
    const int m = 2 * k <= points ? k : k - points;
    const double turn = 2 * std::numbers::pi * m / points;
    const double unit = points / (2 * std::numbers::pi);
    double square = even[order], first = 0, second = lower[order - 1];
    for (int j = 1; j < order; ++j) {
      const double cosine = elementary::cos(j * turn);
      square += 2 * even[order + j] * cosine;
      first += 2 * (odd[order + j - 1] - odd[order + j]) * elementary::sin(j * turn);
      second += 2 * lower[order - 1 + j] * cosine;
    }
    const double chord = 2 * elementary::sin(turn / 2);
    // At the highest wave both signs have the same weight.
    sums[k] = {square, 2 * k == points ? 0 : unit * first, unit * unit * chord * chord * second};
  }
  return sums;
}

}  // namespace fg
