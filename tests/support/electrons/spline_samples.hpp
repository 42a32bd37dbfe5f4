// SPDX-License-Identifier: BSD-3-Clause
//
// Half spheres of waves on a grid of splines, for tests of engine/electrons/splines.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>

#include "electrons/waves/plane_waves.hpp"
#include "fft/sphere/sphere_plan.hpp"

namespace fg::test {

/// The smallest grid that holds the waves, times a factor along each axis.
inline fft::Grid spline_grid(const electrons::Lattice& lattice, double cutoff, double factor) {
  fft::Grid grid{};
  const fft::WaveSphere sphere({128, 128, 128}, lattice.reciprocal_rows(), cutoff,
                               fft::SphereKind::half);
  std::array<int, 3> most{};
  for (const fft::Column& c : sphere.columns()) {
    most[0] = std::max(most[0], std::abs(c.x));
    most[1] = std::max(most[1], std::abs(c.y));
    most[2] = std::max({most[2], std::abs(c.first), std::abs(c.last)});
  }
  for (int axis = 0; axis < 3; ++axis)
    grid[axis] = std::max(10, static_cast<int>(std::ceil(factor * (2 * most[axis] + 1))));
  return grid;
}

/// The sample of one rank.
struct SplineSample {
  std::shared_ptr<const fft::SpherePlan> plan;
  electrons::PlaneWaves waves;
  const fft::Grid& grid() const { return plan->sphere().grid(); }
};

inline SplineSample spline_sample(const electrons::Lattice& lattice, double cutoff,
                                  const fft::Grid& grid) {
  auto plan = std::make_shared<const fft::SpherePlan>(
      fft::WaveSphere(grid, lattice.reciprocal_rows(), cutoff, fft::SphereKind::half),
      fft::boxes_for_sphere(grid, 1));
  auto indices = plan->indices_of(0);
  return {std::move(plan), electrons::PlaneWaves(lattice, std::move(indices))};
}

}  // namespace fg::test
