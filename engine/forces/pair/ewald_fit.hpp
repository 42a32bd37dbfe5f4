// SPDX-License-Identifier: BSD-3-Clause
//
// The smooth part of real-space Ewald, fitted once a job. With z = alpha r,
//   energy / (qq) = 1/r - alpha v(z^2),         v = erf(z)/z
//   force / (qq r) = 1/r^3 - alpha^3 f(z^2),    f = (erf(z)/z - 2/sqrt(pi) exp(-z^2))/z^2
// v and f are entire in z^2, so one polynomial over [0, (alpha cutoff)^2] does: Chebyshev
// interpolation, written out in powers of a variable that runs over [-1, 1]. No table, no exp, no
// division. The number of terms is the least of a few that reaches the wanted error.
#pragma once

#include <vector>

namespace fg {

/// Terms (degree + 1) for which kernels exist; the last of each is the most the kernels can do.
inline constexpr int ewald_terms_float[] = {11, 13, 24};
inline constexpr int ewald_terms_double[] = {22, 40};
inline constexpr int ewald_terms_max = 40;

double ewald_energy_part(double z2) noexcept;  // v
double ewald_force_part(double z2) noexcept;   // f

struct EwaldFit {
  /// Coefficients of u^k, highest power first, u = 2 z^2 / z2_max - 1.
  std::vector<double> force, energy;
  double force_error, energy_error;  // largest found, relative to the value at z = 0
};

EwaldFit fit_ewald(double z2_max, int terms);

}  // namespace fg
