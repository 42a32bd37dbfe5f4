// SPDX-License-Identifier: BSD-3-Clause
//
// Euler exponential splines. Along an axis of N points, at the place u in units of its spacing,
//   exp(2 pi i k u / N) = d(k) sum_n M(u - n + p / 2) exp(2 pi i k n / N),
//   1 / d(k) = sum_m M(m + p / 2) cos(2 pi k m / N),
// where M is the cardinal B-spline of order p. It is exact if u is an integer. The spline is
// centred, so that d is real and positive for all k. This holds for odd orders too, whose knots lie
// between the points. The error falls as (k / N)^p. Three axes make a product. Units: none; d is
// symmetric in k. Source: Essmann et al., J. Chem. Phys. 103, 8577 (1995), section IV; Lee,
// Tuckerman and Martyna, ChemPhysChem 6, 1827 (2005); for odd orders Schoenberg, Cardinal Spline
// Interpolation (1973), lecture 4.
#pragma once

#include <array>
#include <complex>
#include <span>
#include <vector>

#include "electrons/waves/plane_waves.hpp"
#include "fft/decomposition.hpp"

namespace fg::electrons {

inline constexpr int least_spline_order = 4, most_spline_order = 10;

/// Throws InputError if the order is beyond its limits, or if an axis has fewer points.
void check_spline_grid(const fft::Grid& grid, int order);

/// The points first, ..., first + p - 1 that a place touches, not yet wrapped. Also their weights
/// and the derivatives of these by u.
struct AxisSpline {
  int first = 0;
  std::array<double, most_spline_order> weights{}, slopes{};
};

/// `multiple` is of the cell's vector: u = N multiple, wrapped into the cell.
AxisSpline axis_spline(int order, int points, double multiple) noexcept;

/// d(k) for k = 0, ..., most; 2 most < points.
std::vector<double> euler_factors(int order, int points, int most);

/// The product of d along three axes for each wave [waves]. Throws InputError if the grid is too
/// small for the waves or the order.
std::vector<double> euler_factors(const PlaneWaves& waves, const fft::Grid& grid, int order);

}  // namespace fg::electrons
