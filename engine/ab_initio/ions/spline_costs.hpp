// SPDX-License-Identifier: BSD-3-Clause
//
// Floating-point operations of ions by splines, as of division/costs.hpp: lines of the transforms
// between waves and the points of splines, and the ions at these points.
#pragma once

#include <cstddef>
#include <vector>

#include "ab_initio/division/costs.hpp"

namespace fg::ab_initio {

/// The operations of one transform, by part. Ions are taken to be spread evenly over the points.
class SplineCosts {
 public:
  /// Splines of this order. A transform has so many ions on the average.
  SplineCosts(const fft::SpherePlan& plan, int order, double ions) : lines_(plan) {
    const auto& grid = plan.sphere().grid();
    const double all = 1.0 * grid[0] * grid[1] * grid[2];
    for (const fft::GridBox& box : plan.points())
      points_.push_back(ions * order * order * order * static_cast<double>(box.volume()) / all);
  }

  double columns(int part) const noexcept {
    return operations::spline_lines * lines_.columns[at(part)];
  }
  double planes(int part) const noexcept {
    return operations::spline_lines * lines_.planes[at(part)];
  }
  double gather(int part) const noexcept { return operations::spline_gather * points_[at(part)]; }
  double scatter(int part) const noexcept { return operations::spline_scatter * points_[at(part)]; }

 private:
  static std::size_t at(int part) noexcept { return static_cast<std::size_t>(part); }

  TransformCosts lines_;
  std::vector<double> points_;  // of the ions
};

/// The operations of all waves of a channel and a block of orbitals: there or back, or for the
/// virial.
constexpr double spline_waves(double operations_each, int orbitals, std::size_t waves) noexcept {
  return operations_each * orbitals * static_cast<double>(waves);
}

}  // namespace fg::ab_initio
