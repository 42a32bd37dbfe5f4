// SPDX-License-Identifier: BSD-3-Clause
//
// Where the points of a box lie in memory: point (x, y, z) is at
//   (x - low.x) * stride.x + (y - low.y) * stride.y + (z - low.z) * stride.z.
#pragma once

#include <array>
#include <cstddef>

#include "fft/grid_box.hpp"

namespace fg::fft {

/// The axes of an array from the slowest to the fastest.
using AxisOrder = std::array<int, 3>;
inline constexpr AxisOrder row_major{0, 1, 2};

struct Layout {
  GridBox box;
  std::array<std::ptrdiff_t, 3> stride{};  // in elements

  constexpr std::ptrdiff_t at(const std::array<int, 3>& point) const noexcept {
    std::ptrdiff_t place = 0;
    for (int a = 0; a < 3; ++a) place += (point[a] - box.low[a]) * stride[a];
    return place;
  }
  friend constexpr bool operator==(const Layout&, const Layout&) noexcept = default;

  /// The number of elements from the first to the last point; 0 for an empty box.
  constexpr std::size_t extent() const noexcept {
    if (box.empty()) return 0;
    std::ptrdiff_t last = 0;
    for (int a = 0; a < 3; ++a) last += (box.size(a) - 1) * stride[a];
    return static_cast<std::size_t>(last) + 1;
  }
};

/// Without gaps, its axes in this order.
constexpr Layout dense(const GridBox& box, const AxisOrder& order = row_major) noexcept {
  Layout layout{box};
  std::ptrdiff_t stride = 1;
  for (int k = 2; k >= 0; --k) {
    layout.stride[order[k]] = stride;
    stride *= box.size(order[k]);
  }
  return layout;
}

}  // namespace fg::fft
