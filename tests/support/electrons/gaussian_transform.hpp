// SPDX-License-Identifier: BSD-3-Clause
//
// Transforms of separable dual-space Gaussian pseudopotentials: polynomials of x = |G| r times
// exp(-x^2 / 2), with all their derivatives.
// Units: bohr, hartree.
// Source: Goedecker, Teter and Hutter, Phys. Rev. B 54, 1703 (1996); Hartwigsen, Goedecker and
// Hutter, Phys. Rev. B 58, 3641 (1998).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

namespace fg::test {

struct GaussianTransform {
  double radius = 1;
  std::vector<double> powers;  // coefficient of x^n

  /// The n-th derivative by |G|.
  double derivative(int n, double length) const {
    return polynomial(n, length * radius) * std::exp(-length * length * radius * radius / 2) *
           std::pow(radius, n);
  }
  double value(double length) const { return derivative(0, length); }

  /// The largest |n-th derivative| of points 0.01 / r apart; between them it is less than 1 % more.
  double largest(int n) const {
    double most = 0;
    for (int i = 0; i < 2000; ++i)
      most = std::max(most, std::abs(derivative(n, i * 0.01 / radius)));
    return 1.01 * most;
  }

  std::vector<double> table(double spacing, std::size_t points) const {
    std::vector<double> values(points);
    for (std::size_t i = 0; i < points; ++i) values[i] = value(static_cast<double>(i) * spacing);
    return values;
  }

 private:
  /// (p exp(-x^2 / 2))' = (p' - x p) exp(-x^2 / 2), n times.
  double polynomial(int n, double x) const {
    std::vector<double> p = powers;
    for (; n > 0; --n) {
      std::vector<double> next(p.size() + 1);
      for (std::size_t k = 0; k < p.size(); ++k) {
        if (k > 0) next[k - 1] += static_cast<double>(k) * p[k];
        next[k + 1] -= p[k];
      }
      p = next;
    }
    double sum = 0;
    for (std::size_t k = p.size(); k-- > 0;) sum = sum * x + p[k];
    return sum;
  }
};

/// The local potential of a GTH pseudopotential and Z erf(r / (sqrt(2) radius)) / r.
inline GaussianTransform gth_local(double radius, double c1, double c2) {
  const double scale = std::pow(2 * std::numbers::pi, 1.5) * radius * radius * radius;
  return {radius, {scale * (c1 + 3 * c2), 0, -scale * c2}};
}

/// The first (i = 1) or second projector of angular momentum l, up to l = 3; i = 2 only up to l
/// = 2.
inline GaussianTransform gth_projector(int l, int i, double radius) {
  const double p = std::pow(std::numbers::pi, 1.25) * std::pow(radius, 1.5);
  const double first[] = {4 * std::sqrt(2.0), 8 / std::sqrt(3.0), 8 * std::sqrt(2.0 / 15),
                          16 / std::sqrt(105.0)};
  const double second[] = {8 * std::sqrt(2.0 / 15), 16 / std::sqrt(105.0),
                           16.0 / 3 * std::sqrt(2.0 / 105)};
  std::vector<double> powers(static_cast<std::size_t>(l + 1), 0.0);
  if (i == 1) {
    powers[l] = first[l] * p;
  } else {
    powers[l] = (2 * l + 3) * second[l] * p;
    powers.insert(powers.end(), {0, -second[l] * p});
  }
  return {radius, powers};
}

}  // namespace fg::test
