// SPDX-License-Identifier: BSD-3-Clause
//
// The smooth part of real-space Ewald, fitted once per job. With z = alpha r,
//   energy / (qq) = 1/r - alpha v(z^2),         v = erf(z)/z
//   force / (qq r) = 1/r^3 - alpha^3 f(z^2),    f = (erf(z)/z - 2/sqrt(pi) exp(-z^2))/z^2
// v and f are entire functions of z^2, so polynomials can fit them, by Chebyshev interpolation.
// There is one polynomial over the whole range. If the SIMD target can select each lane's
// coefficient in one instruction, each piece of the range has a polynomial instead. This needs no
// table in memory, no exp, no division. Lengths are in the kernel's scale, in which x = r^2 runs
// over [0, ewald_range].
#pragma once

#include <vector>

namespace fg {

/// r^2 at the cutoff. Pieces have the width w = 2 / (number of pieces) and are centred at 0, w, 2 w
/// and so on. The range ends in one of the last pieces.
inline constexpr double ewald_range = 1.75;
inline constexpr double ewald_middle = 0.5 * ewald_range;
constexpr double ewald_piece_width(int pieces) {
  return 2.0 / pieces;
}

/// Numbers of terms (degree + 1) for which kernels exist, by the number of pieces; the last one is
/// the maximum.
inline constexpr int ewald_terms_double[] = {22, 40};
inline constexpr int ewald_terms_float[] = {12, 14, 24};
inline constexpr int ewald_terms_portable[] = {14, 24};  // for float with portable bits
inline constexpr int ewald_terms_4_pieces[] = {6, 7, 8, 12};
inline constexpr int ewald_terms_16_pieces[] = {5, 6, 7};
/// The most numbers in a fit of a kernel.
inline constexpr int ewald_numbers_max = 16 * 7;

double ewald_energy_part(double z2) noexcept;  // v
double ewald_force_part(double z2) noexcept;   // f

/// Coefficients of alpha^3 f and alpha v, highest power first. They are of x - ewald_middle or,
/// piece after piece, of x - piece * ewald_piece_width(pieces).
struct EwaldFit {
  int terms = 0, pieces = 1;
  std::vector<double> force, energy;
  /// Largest error of the force, relative to the force at r = 0, multiplied by r^2 / cutoff^2. The
  /// weight is there because at large r there are more neighbours and smaller forces.
  double error = 0;
};

/// `pieces`: a power of two; 1 for one polynomial over the whole range.
EwaldFit fit_ewald(double alpha, int terms, int pieces = 1);

}  // namespace fg
