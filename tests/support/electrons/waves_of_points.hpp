// SPDX-License-Identifier: BSD-3-Clause
//
// Coefficients of a function from its values on a grid, one axis after the other, by sums.
#pragma once

#include <array>
#include <complex>
#include <numbers>
#include <span>
#include <vector>

#include "electrons/waves/plane_waves.hpp"

namespace fg::test {

/// The mean over the points of value times exp(-i G . r), for each wave.
inline std::vector<std::complex<double>> waves_of_points(const electrons::PlaneWaves& waves,
                                                         const std::array<int, 3>& grid,
                                                         std::span<const double> values) {
  using Complex = std::complex<double>;
  std::vector<Complex> field(values.begin(), values.end());
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto n = static_cast<std::size_t>(grid[axis]);
    std::size_t stride = 1;
    for (std::size_t k = axis + 1; k < 3; ++k) stride *= static_cast<std::size_t>(grid[k]);
    std::vector<Complex> turns(n), line(n);
    for (std::size_t k = 0; k < n; ++k)
      turns[k] = std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(k) / grid[axis]);
    for (std::size_t first = 0; first < field.size(); ++first) {
      if (first / stride % n != 0) continue;
      for (std::size_t m = 0; m < n; ++m) {
        line[m] = 0;
        for (std::size_t k = 0; k < n; ++k)
          line[m] += field[first + k * stride] * turns[k * m % n] / static_cast<double>(n);
      }
      for (std::size_t m = 0; m < n; ++m) field[first + m * stride] = line[m];
    }
  }
  std::vector<Complex> result;
  for (const auto& index : waves.indices()) {
    std::size_t at = 0;
    for (std::size_t k = 0; k < 3; ++k)
      at = at * static_cast<std::size_t>(grid[k]) +
           static_cast<std::size_t>((index[k] + grid[k]) % grid[k]);
    result.push_back(field[at]);
  }
  return result;
}

}  // namespace fg::test
