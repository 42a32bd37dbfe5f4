// SPDX-License-Identifier: BSD-3-Clause
#include "forces/pair/ewald_fit.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "forces/constants.hpp"

namespace fg {
namespace {

/// Below this the closed forms lose digits by cancellation and the power series takes over.
constexpr double series_below = 0.7;

/// 2/sqrt(pi) * sum over k of (-z2)^k / (k! (2k + first)); erf(z)/z for first = 1.
double series(double z2, int first) noexcept {
  double term = 1.0, sum = 0.0;
  for (int k = 0; k < 30; ++k) {
    sum += term / (2 * k + first);
    term *= -z2 / (k + 1);
  }
  return two_over_sqrt_pi * sum;
}

using Function = double (*)(double) noexcept;

/// Chebyshev coefficients of the interpolant in its own nodes.
std::vector<double> interpolate(Function function, double z2_max, int terms) {
  std::vector<double> values(terms), chebyshev(terms);
  for (int k = 0; k < terms; ++k) {
    const double u = std::cos(std::numbers::pi * (k + 0.5) / terms);
    values[k] = function(0.5 * z2_max * (u + 1.0));
  }
  for (int j = 0; j < terms; ++j) {
    double sum = 0.0;
    for (int k = 0; k < terms; ++k)
      sum += values[k] * std::cos(std::numbers::pi * j * (k + 0.5) / terms);
    chebyshev[j] = (j == 0 ? 1.0 : 2.0) / terms * sum;
  }
  return chebyshev;
}

/// The same polynomial in powers, highest first, by T_(k+1) = 2 u T_k - T_(k-1).
std::vector<double> in_powers(const std::vector<double>& chebyshev) {
  const std::size_t terms = chebyshev.size();
  std::vector<double> sum(terms, 0.0), before(terms, 0.0), now(terms, 0.0), next(terms, 0.0);
  before[0] = 1.0;
  sum[0] = chebyshev[0];
  if (terms > 1) now[1] = 1.0, sum[1] = chebyshev[1];
  for (std::size_t k = 2; k < terms; ++k) {
    for (std::size_t power = 0; power < terms; ++power)
      next[power] = (power > 0 ? 2.0 * now[power - 1] : 0.0) - before[power];
    for (std::size_t power = 0; power < terms; ++power) sum[power] += chebyshev[k] * next[power];
    before = now;
    now = next;
  }
  std::reverse(sum.begin(), sum.end());
  return sum;
}

double largest_error(Function function, double z2_max, const std::vector<double>& fit) {
  constexpr int samples = 400;
  double largest = 0.0;
  for (int k = 0; k <= samples; ++k) {
    const double u = 2.0 * k / samples - 1.0;
    double value = 0.0;
    for (const double coefficient : fit) value = value * u + coefficient;
    largest = std::max(largest, std::abs(value - function(0.5 * z2_max * (u + 1.0))));
  }
  return largest / function(0.0);
}

}  // namespace

double ewald_energy_part(double z2) noexcept {
  if (z2 < series_below) return series(z2, 1);
  const double z = std::sqrt(z2);
  return std::erf(z) / z;
}

double ewald_force_part(double z2) noexcept {
  if (z2 < series_below) return 2.0 * series(z2, 3);
  const double z = std::sqrt(z2);
  return (std::erf(z) / z - two_over_sqrt_pi * std::exp(-z2)) / z2;
}

EwaldFit fit_ewald(double z2_max, int terms) {
  EwaldFit fit;
  fit.force = in_powers(interpolate(ewald_force_part, z2_max, terms));
  fit.energy = in_powers(interpolate(ewald_energy_part, z2_max, terms));
  fit.force_error = largest_error(ewald_force_part, z2_max, fit.force);
  fit.energy_error = largest_error(ewald_energy_part, z2_max, fit.energy);
  return fit;
}

}  // namespace fg
