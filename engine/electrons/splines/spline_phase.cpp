// SPDX-License-Identifier: BSD-3-Clause
#include "electrons/splines/spline_phase.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "base/error.hpp"

namespace fg::electrons {

namespace {

/// M_p(w), ..., M_p(w + p - 1) of this order and of the one below, by rows of the recursion; w is
/// in [0, 1).
void splines_at(int order, double w, std::array<double, most_spline_order>& values,
                std::array<double, most_spline_order>& below) noexcept {
  values = {w, 1 - w};
  for (int n = 3; n <= order; ++n) {
    below = values;
    const double scale = 1.0 / (n - 1);
    for (int j = n - 1; j >= 0; --j) {
      const double x = w + j;
      const double same = j < n - 1 ? below[static_cast<std::size_t>(j)] : 0;
      const double left = j > 0 ? below[static_cast<std::size_t>(j - 1)] : 0;
      values[static_cast<std::size_t>(j)] = scale * (x * same + (n - x) * left);
    }
  }
}

}  // namespace

void check_spline_grid(const fft::Grid& grid, int order) {
  if (order < least_spline_order || order > most_spline_order)
    throw InputError(
        {.what = "splines of this order are not known",
         .value = std::to_string(order),
         .limit = std::to_string(least_spline_order) + " to " + std::to_string(most_spline_order),
         .hint = "10 is usual"});
  for (const int points : grid)
    if (points < order)
      throw InputError({.what = "the grid of splines has fewer points than their order",
                        .value = std::to_string(points),
                        .limit = "at least " + std::to_string(order),
                        .hint = "use a larger grid or a lower order"});
}

AxisSpline axis_spline(int order, int points, double multiple) noexcept {
  const double u = points * (multiple - std::floor(multiple));
  const double low = u - 0.5 * order, whole = std::floor(low);
  std::array<double, most_spline_order> values{}, below{};
  splines_at(order, low - whole, values, below);
  AxisSpline result;
  result.first = static_cast<int>(whole) + 1;
  for (int j = 0; j < order; ++j) {
    // The point j is at the argument w + p - 1 - j.
    const auto at = static_cast<std::size_t>(order - 1 - j);
    const auto to = static_cast<std::size_t>(j);
    result.weights[to] = values[at];
    result.slopes[to] = (j > 0 ? below[at] : 0) - (at > 0 ? below[at - 1] : 0);
  }
  return result;
}

std::vector<double> euler_factors(int order, int points, int most) {
  // The spline at the points round its middle.
  const AxisSpline middle = axis_spline(order, points, 0);
  std::vector<double> factors;
  factors.reserve(static_cast<std::size_t>(most) + 1);
  for (int k = 0; k <= most; ++k) {
    double sum = 0;
    for (int j = 0; j < order; ++j)
      sum += middle.weights[static_cast<std::size_t>(j)] *
             std::cos(2 * std::numbers::pi * k * (middle.first + j) / points);
    factors.push_back(1 / sum);
  }
  return factors;
}

std::vector<double> euler_factors(const PlaneWaves& waves, const fft::Grid& grid, int order) {
  check_spline_grid(grid, order);
  std::array<std::vector<double>, 3> axes;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    int most = 0;
    for (const auto& index : waves.indices()) most = std::max(most, std::abs(index[axis]));
    if (2 * most >= grid[axis])
      throw InputError({.what = "the grid of splines is too small for the waves",
                        .value = std::to_string(grid[axis]) + " points",
                        .limit = "at least " + std::to_string(2 * most + 1),
                        .hint = "make the job again"});
    axes[axis] = euler_factors(order, grid[axis], most);
  }
  std::vector<double> factors;
  factors.reserve(waves.size());
  for (const auto& index : waves.indices()) {
    double product = 1;
    for (std::size_t axis = 0; axis < 3; ++axis)
      product *= axes[axis][static_cast<std::size_t>(std::abs(index[axis]))];
    factors.push_back(product);
  }
  return factors;
}

}  // namespace fg::electrons
