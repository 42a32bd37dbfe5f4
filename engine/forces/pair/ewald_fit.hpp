// SPDX-License-Identifier: BSD-3-Clause
//
// The smooth part of real-space Ewald, fitted once per job. With z = alpha r,
//   energy / (qq) = 1/r - alpha v(z^2),         v = erf(z)/z
//   force / (qq r) = 1/r^3 - alpha^3 f(z^2),    f = (erf(z)/z - 2/sqrt(pi) exp(-z^2))/z^2
// v and f are entire functions of z^2, so polynomials can fit them, by Chebyshev interpolation:
// either one polynomial over the whole range, or four, if the SIMD target can select one of four
// coefficients for each lane in one instruction. This needs no table in memory, no exp, no
// division. Lengths are in the kernel's scale, in which x = r^2 runs over [0, ewald_range].
#pragma once

#include <vector>

namespace fg {

/// r^2 at the cutoff: three and a half pieces of width 1/2, centred at 0, 1/2, 1 and 3/2.
inline constexpr double ewald_range = 1.75;
inline constexpr double ewald_middle = 0.5 * ewald_range;
inline constexpr int ewald_pieces = 4;
inline constexpr double ewald_piece_width = 0.5;

/// Numbers of terms (degree + 1) for which kernels exist; the last one is the maximum.
inline constexpr int ewald_terms_float[] = {12, 14, 24};
inline constexpr int ewald_terms_double[] = {22, 40};
inline constexpr int ewald_piece_terms[] = {6, 7, 8, 12};
inline constexpr int ewald_terms_max = 40;
inline constexpr int ewald_piece_terms_max = 12;

double ewald_energy_part(double z2) noexcept;  // v
double ewald_force_part(double z2) noexcept;   // f

/// Coefficients, highest power first, of alpha^3 f and alpha v: either of x - ewald_middle, or,
/// piece after piece, of x - piece * ewald_piece_width.
struct EwaldFit {
  int terms = 0;
  std::vector<double> force, energy;
  /// Largest error of the force, relative to the force at r = 0, multiplied by r^2 / cutoff^2. The
  /// weight is there because at large r there are more neighbours and smaller forces.
  double error = 0;
};

EwaldFit fit_ewald(double alpha, int terms);
EwaldFit fit_ewald_pieces(double alpha, int terms);

}  // namespace fg
