// SPDX-License-Identifier: BSD-3-Clause
//
// The vector kernels of functionals. Arrays have `count` elements each; those for sigma are not
// touched if the functional uses no gradient. A point has the same bits wherever it is in the
// array. A negative sigma counts as 0; a NaN gives NaN. Units: hartree, bohr; density [1/bohr^3],
// sigma [1/bohr^8], energy [hartree/bohr^3].
#pragma once

#include <array>
#include <cstddef>
#include <limits>

#include "electrons/exchange_correlation/parts.hpp"

namespace fg::electrons {

/// Points with at most this density, or at most this sigma, have no gradient. With spin, exchange
/// compares the density and the sigma of each spin with the limits of one spin. Correlation
/// compares the sums over spins with the limits of their sum.
struct GradientCut {
  static constexpr double none = -std::numeric_limits<double>::infinity();
  double density = none, sigma = none;            // without spin
  double spin_density = none, spin_sigma = none;  // of one spin
  double sum_density = none, sum_sigma = none;    // of both
  /// In the phi of PBE correlation a spin has at least this share of the density.
  double least_share = 0;
};

/// Without spin: sigma = |grad rho|^2.
struct PointArrays {
  std::size_t count;
  const double* density;
  const double* sigma;
  double* energy;      // e per volume
  double* by_density;  // de/d rho
  double* by_sigma;    // de/d sigma
};

/// With spin: the densities are up and down. Sigma has three components, by which the derivatives
/// are: grad up . grad up, grad up . grad down, grad down . grad down.
struct SpinPointArrays {
  std::size_t count;
  std::array<const double*, 2> density;
  std::array<const double*, 3> sigma;
  double* energy;
  std::array<double*, 2> by_density;
  std::array<double*, 3> by_sigma;
};

void evaluate_points(FunctionalParts parts, const GradientCut& cut,
                     const PointArrays& points) noexcept;
void evaluate_points(FunctionalParts parts, const GradientCut& cut,
                     const SpinPointArrays& points) noexcept;

}  // namespace fg::electrons
