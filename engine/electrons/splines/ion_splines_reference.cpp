// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <numbers>

#include "electrons/splines/ion_splines.hpp"
#include "forces/mesh/bspline.hpp"

namespace fg::electrons::reference {

namespace {

/// The weight of a point of a periodic axis and its derivative by u: one image in reach, or, on the
/// smallest grids, several.
std::pair<double, double> weight(int order, int points, double u, int n) {
  double value = 0, slope = 0;
  for (int image = -3; image <= 3; ++image) {
    const double x = u - n + image * points + 0.5 * order;
    value += bspline(order, x);
    slope += bspline(order - 1, x) - bspline(order - 1, x - 1);
  }
  return {value, slope};
}

}  // namespace

SplineSums gather(const Lattice& lattice, const fft::Grid& grid, int order, const Vec3& position,
                  IonSplines::Field points) {
  const Vec3 multiples = lattice.fractional(position);
  const auto reciprocal = lattice.reciprocal();
  const auto place = [&](int axis) {
    return grid[static_cast<std::size_t>(axis)] * (multiples[axis] - std::floor(multiples[axis]));
  };
  SplineSums result;
  std::size_t i = 0;
  for (int x = 0; x < grid[0]; ++x)
    for (int y = 0; y < grid[1]; ++y)
      for (int z = 0; z < grid[2]; ++z, ++i) {
        const auto [wx, sx] = weight(order, grid[0], place(0), x);
        const auto [wy, sy] = weight(order, grid[1], place(1), y);
        const auto [wz, sz] = weight(order, grid[2], place(2), z);
        const Vec3 slope =
            (reciprocal[0] * (grid[0] * sx * wy * wz) + reciprocal[1] * (grid[1] * wx * sy * wz) +
             reciprocal[2] * (grid[2] * wx * wy * sz)) *
            (0.5 / std::numbers::pi);
        const double parts[] = {points[i].real(), points[i].imag()};
        for (std::size_t field = 0; field < 2; ++field) {
          result.values[field] += parts[field] * wx * wy * wz;
          result.gradients[field] += slope * parts[field];
        }
      }
  return result;
}

}  // namespace fg::electrons::reference
