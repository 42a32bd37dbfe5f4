// SPDX-License-Identifier: BSD-3-Clause
//
// Cardinal B-splines M_n, which spread a charge over n mesh points per axis.
// An atom at scaled coordinate u touches points floor(u) + j, j = 0 .. n-1, with the weights M_n(w
// + n-1-j), w = u - floor(u). This is n-1 points above Essmann's choice for all atoms, which
// changes neither energies nor forces. Source: Essmann et al., J. Chem. Phys. 103, 8577 (1995),
// section IV.
#pragma once

#include <span>
#include <vector>

namespace fg {

inline constexpr int max_spline_order = 8;

/// The orders for which there are kernels: 4, 5, 6 and 8.
constexpr bool is_spline_order(int order) noexcept {
  return order == 4 || order == 5 || order == 6 || order == 8;
}

/// M_n(x) by its recursion; 0 outside (0, n).
double bspline(int order, double x) noexcept;

/// Weights and their derivatives by u for the n points above `w` in [0, 1). Both [order].
void bspline_weights(int order, double w, std::span<double> weights,
                     std::span<double> derivatives) noexcept;

/// |sum_k M_n(k+1) exp(2 pi i m k / points)|^2 for m = 0 .. points-1: the square of the factor by
/// which the spline reduces the structure factor. For odd orders the value at m = points/2 is zero.
/// It is replaced by the mean of its neighbours, as in OpenMM's reference.
std::vector<double> bspline_moduli(int order, int points);

/// Sums over the images s = m + points j of a wave number m, for all whole j, of the squared
/// transform of the spline, W(s)^2 = (sin(pi s / points) / (pi s / points))^(2 order), times a
/// power of s.
struct ImageSums {
  double square;  // W^2
  double first;   // s W^2
  double second;  // s^2 W^2
};

/// The sums for m = 0 .. points-1, with the m of either sign that is nearer to zero. By Poisson's
/// formula they are finite sums of splines of twice the order at whole numbers.
std::vector<ImageSums> bspline_image_sums(int order, int points);

}  // namespace fg
