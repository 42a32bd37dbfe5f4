// SPDX-License-Identifier: BSD-3-Clause
#include "electrons/splines/ion_splines.hpp"

#include <cmath>
#include <numbers>

#include "base/error.hpp"

namespace fg::electrons {

namespace {

/// Calls use with the order as a constant, so that loops over it have a fixed length.
template <class Use>
decltype(auto) with_order(int order, const Use& use) {
  switch (order) {
    case 4:
      return use(std::integral_constant<int, 4>());
    case 5:
      return use(std::integral_constant<int, 5>());
    case 6:
      return use(std::integral_constant<int, 6>());
    case 7:
      return use(std::integral_constant<int, 7>());
    case 8:
      return use(std::integral_constant<int, 8>());
    case 9:
      return use(std::integral_constant<int, 9>());
    default:
      return use(std::integral_constant<int, 10>());
  }
}

}  // namespace

IonSplines::IonSplines(const fft::Grid& grid, int order, const fft::GridBox& box)
    : grid_(grid), order_(order), box_(box) {
  check_spline_grid(grid, order);
  if (box.empty()) return;
  FG_CHECK(box.low[0] == 0 && box.high[0] == grid[0]);
}

void IonSplines::place(const Lattice& lattice, std::span<const Vec3> positions) {
  const auto reciprocal = lattice.reciprocal();
  for (std::size_t axis = 0; axis < 3; ++axis)
    steps_[axis] = reciprocal[axis] * (grid_[axis] / (2 * std::numbers::pi));
  ions_.resize(positions.size());
  for (std::size_t i = 0; i < positions.size(); ++i) {
    Ion& ion = ions_[i];
    const Vec3 multiples = lattice.fractional(positions[i]);
    for (std::size_t axis = 0; axis < 3; ++axis)
      ion.axes[axis] = axis_spline(order_, grid_[axis], multiples[static_cast<int>(axis)]);
    // Up to two: both ends may be in one box. The order is at most the grid.
    ion.run_count = 0;
    if (box_.empty()) continue;
    const int first = ion.axes[2].first, first_y = ion.axes[1].first;
    const fft::Range own_y = box_.range(1);
    if (fft::overlap({first_y, first_y + order_}, grid_[1], own_y) == 0) continue;
    for (int j = 0; j < order_; ++j) {
      const int y = fft::wrap(first_y + j, grid_[1]);
      ion.rows[static_cast<std::size_t>(j)] = own_y.contains(y) ? y - own_y.begin : -1;
    }
    fft::for_each_run({first, first + order_}, grid_[2], box_.range(2), [&](const fft::Run& run) {
      ion.runs[static_cast<std::size_t>(ion.run_count++)] = {run.from - first, run.to - box_.low[2],
                                                             run.size};
    });
  }
}

SplineSums IonSplines::gather(std::size_t ion, Field points) const noexcept {
  const auto* const numbers = reinterpret_cast<const double*>(points.data());
  return with_order(
      order_, [&](auto order) { return gather_of<decltype(order)::value>(ions_[ion], numbers); });
}

void IonSplines::scatter(std::size_t ion, const std::array<double, 2>& values,
                         std::span<std::complex<double>> points) const noexcept {
  auto* const numbers = reinterpret_cast<double*>(points.data());
  with_order(order_,
             [&](auto order) { scatter_of<decltype(order)::value>(ions_[ion], values, numbers); });
}

/// Sums over x and y first, for each of the points along z; then over z.
template <int Order>
SplineSums IonSplines::gather_of(const Ion& ion, const double* points) const noexcept {
  constexpr std::size_t numbers = 2 * Order;
  SplineSums result;
  if (ion.run_count == 0) return result;
  // The weights of both axes; the slope along x; the slope along y.
  std::array<double, numbers> both{}, by_x{}, by_y{};
  const std::size_t row = 2 * static_cast<std::size_t>(box_.size(2));
  const auto rows = static_cast<std::size_t>(box_.size(1));
  const auto& [along_x, along_y, along_z] = ion.axes;
  for (std::size_t i = 0; i < Order; ++i) {
    const auto x =
        static_cast<std::size_t>(fft::wrap(along_x.first + static_cast<int>(i), grid_[0]));
    std::array<double, numbers> plane{}, plane_slope{};
    for (std::size_t j = 0; j < Order; ++j) {
      if (ion.rows[j] < 0) continue;
      const double* const from = points + (x * rows + static_cast<std::size_t>(ion.rows[j])) * row;
      const double weight = along_y.weights[j], slope = along_y.slopes[j];
      const auto add = [&](std::size_t at, const double* of, std::size_t count) {
        for (std::size_t k = 0; k < count; ++k) {
          plane[at + k] += weight * of[k];
          plane_slope[at + k] += slope * of[k];
        }
      };
      if (ion.runs[0].size == Order)
        add(0, from + 2 * ion.runs[0].to, numbers);
      else
        for (int r = 0; r < ion.run_count; ++r) {
          const Run& run = ion.runs[static_cast<std::size_t>(r)];
          add(2 * static_cast<std::size_t>(run.from), from + 2 * run.to,
              2 * static_cast<std::size_t>(run.size));
        }
    }
    for (std::size_t k = 0; k < numbers; ++k) {
      both[k] += along_x.weights[i] * plane[k];
      by_x[k] += along_x.slopes[i] * plane[k];
      by_y[k] += along_x.weights[i] * plane_slope[k];
    }
  }
  for (std::size_t field = 0; field < 2; ++field) {
    double value = 0, x = 0, y = 0, z = 0;
    for (std::size_t k = 0; k < Order; ++k) {
      value += along_z.weights[k] * both[2 * k + field];
      x += along_z.weights[k] * by_x[2 * k + field];
      y += along_z.weights[k] * by_y[2 * k + field];
      z += along_z.slopes[k] * both[2 * k + field];
    }
    result.values[field] = value;
    result.gradients[field] = steps_[0] * x + steps_[1] * y + steps_[2] * z;
  }
  return result;
}

template <int Order>
void IonSplines::scatter_of(const Ion& ion, const std::array<double, 2>& values,
                            double* points) const noexcept {
  constexpr std::size_t numbers = 2 * Order;
  if (ion.run_count == 0) return;
  const std::size_t row = 2 * static_cast<std::size_t>(box_.size(2));
  const auto rows = static_cast<std::size_t>(box_.size(1));
  const auto& [along_x, along_y, along_z] = ion.axes;
  std::array<double, numbers> line;
  for (std::size_t k = 0; k < numbers; ++k) line[k] = values[k % 2] * along_z.weights[k / 2];
  for (std::size_t i = 0; i < Order; ++i) {
    const auto x =
        static_cast<std::size_t>(fft::wrap(along_x.first + static_cast<int>(i), grid_[0]));
    for (std::size_t j = 0; j < Order; ++j) {
      if (ion.rows[j] < 0) continue;
      double* const to = points + (x * rows + static_cast<std::size_t>(ion.rows[j])) * row;
      const double weight = along_x.weights[i] * along_y.weights[j];
      const auto add = [&](std::size_t at, double* place, std::size_t count) {
        for (std::size_t k = 0; k < count; ++k) place[k] += weight * line[at + k];
      };
      if (ion.runs[0].size == Order)
        add(0, to + 2 * ion.runs[0].to, numbers);
      else
        for (int r = 0; r < ion.run_count; ++r) {
          const Run& run = ion.runs[static_cast<std::size_t>(r)];
          add(2 * static_cast<std::size_t>(run.from), to + 2 * run.to,
              2 * static_cast<std::size_t>(run.size));
        }
    }
  }
}

}  // namespace fg::electrons
