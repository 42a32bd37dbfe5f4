// SPDX-License-Identifier: BSD-3-Clause
#include "forces/pair/ewald_fit.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/elementary.hpp"
#include "forces/constants.hpp"

namespace fg {
namespace {

/// Below this the closed forms lose digits by cancellation, and the power series is used.
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

/// Chebyshev coefficients of the interpolant of function(alpha^2 x) over [low, high].
std::vector<double> interpolate(Function function, double alpha, double low, double high,
                                int terms) {
  std::vector<double> values(terms), chebyshev(terms);
  for (int k = 0; k < terms; ++k) {
    const double u = elementary::cos(std::numbers::pi * (k + 0.5) / terms);
    values[k] = function(alpha * alpha * (0.5 * (low + high) + 0.5 * (high - low) * u));
  }
  for (int j = 0; j < terms; ++j) {
    double sum = 0.0;
    for (int k = 0; k < terms; ++k)
      sum += values[k] * elementary::cos(std::numbers::pi * j * (k + 0.5) / terms);
    chebyshev[j] = (j == 0 ? 1.0 : 2.0) / terms * sum;
  }
  return chebyshev;
}

/// The same polynomial in powers of u, lowest first, by T_(k+1) = 2 u T_k - T_(k-1).
std::vector<double> in_powers(const std::vector<double>& chebyshev) {
  const std::size_t terms = chebyshev.size();
  std::vector<double> sum(terms, 0.0), before(terms, 0.0), now(terms, 0.0), next(terms, 0.0);
  before[0] = 1.0;
  now[1] = 1.0;
  sum[0] = chebyshev[0];
  sum[1] = chebyshev[1];
  for (std::size_t k = 2; k < terms; ++k) {
    for (std::size_t power = 0; power < terms; ++power)
      next[power] = (power > 0 ? 2.0 * now[power - 1] : 0.0) - before[power];
    for (std::size_t power = 0; power < terms; ++power) sum[power] += chebyshev[k] * next[power];
    before = now;
    now = next;
  }
  return sum;
}

/// Appends function(alpha^2 x) over [low, high] in powers of x - centre, highest first, times
/// `factor`.
void append_fit(Function function, double alpha, double low, double high, double centre, int terms,
                double factor, std::vector<double>& to) {
  const std::vector<double> powers = in_powers(interpolate(function, alpha, low, high, terms));
  // u = slope (x - centre) + offset, by Horner's rule on polynomials.
  const double slope = 2.0 / (high - low), offset = (2.0 * centre - low - high) / (high - low);
  std::vector<double> result(terms, 0.0);
  for (int k = terms - 1; k >= 0; --k) {
    for (int power = terms - 1; power > 0; --power)
      result[power] = result[power] * offset + result[power - 1] * slope;
    result[0] = result[0] * offset + powers[k];
  }
  for (int power = terms - 1; power >= 0; --power) to.push_back(factor * result[power]);
}

double largest_error(double alpha, double low, double high, double centre, const double* fit,
                     int terms) {
  const int samples = 6 * terms;
  const double cube = alpha * alpha * alpha;
  double largest = 0.0;
  for (int k = 0; k <= samples; ++k) {
    const double x = low + (high - low) * k / samples;
    double value = 0.0;
    for (int term = 0; term < terms; ++term) value = value * (x - centre) + fit[term];
    const double error = value - cube * ewald_force_part(alpha * alpha * x);
    largest = std::max(largest, std::abs(error) * x / ewald_range);
  }
  return largest / (cube * ewald_force_part(0.0));
}

void append_range(double alpha, double low, double high, double centre, EwaldFit& fit) {
  append_fit(ewald_force_part, alpha, low, high, centre, fit.terms, alpha * alpha * alpha,
             fit.force);
  append_fit(ewald_energy_part, alpha, low, high, centre, fit.terms, alpha, fit.energy);
  fit.error = std::max(fit.error,
                       largest_error(alpha, low, high, centre,
                                     fit.force.data() + fit.force.size() - fit.terms, fit.terms));
}

}  // namespace

double ewald_energy_part(double z2) noexcept {
  if (z2 < series_below) return series(z2, 1);
  const double z = std::sqrt(z2);
  return elementary::erf(z) / z;
}

double ewald_force_part(double z2) noexcept {
  if (z2 < series_below) return 2.0 * series(z2, 3);
  const double z = std::sqrt(z2);
  return (elementary::erf(z) / z - two_over_sqrt_pi * elementary::exp(-z2)) / z2;
}

EwaldFit fit_ewald(double alpha, int terms, int pieces) {
  EwaldFit fit{.terms = terms, .pieces = pieces};
  if (pieces == 1) {
    append_range(alpha, 0.0, ewald_range, ewald_middle, fit);
    return fit;
  }
  const double width = ewald_piece_width(pieces);
  for (int piece = 0; piece < pieces; ++piece) {
    const double centre = piece * width;
    append_range(alpha, std::max(0.0, centre - 0.5 * width), centre + 0.5 * width, centre, fit);
  }
  return fit;
}

}  // namespace fg
