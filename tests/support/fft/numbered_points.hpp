// SPDX-License-Identifier: BSD-3-Clause
//
// A grid of random numbers that are the same whoever holds a point.
#pragma once

#include <array>
#include <complex>
#include <cstdint>

#include "base/philox.hpp"
#include "fft/grid_box.hpp"

namespace fg::test {

using Point = std::array<int, 3>;

/// Visits points in row-major order.
template <class Visit>
void for_each_point(const fft::GridBox& box, Visit&& visit) {
  for (int x = box.low[0]; x < box.high[0]; ++x)
    for (int y = box.low[1]; y < box.high[1]; ++y)
      for (int z = box.low[2]; z < box.high[2]; ++z) visit(Point{x, y, z});
}

/// The point's own number in a field of a batch; both parts in [-1, 1).
inline std::complex<double> number(const Point& p, int field) {
  const auto word = [](int i) { return static_cast<std::uint32_t>(i); };
  const PhiloxCounter w = philox4x32({word(p[0]), word(p[1]), word(p[2]), word(field)}, {1, 2});
  return {static_cast<std::int32_t>(w[0]) * 0x1p-31, static_cast<std::int32_t>(w[1]) * 0x1p-31};
}

}  // namespace fg::test
