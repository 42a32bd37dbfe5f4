// SPDX-License-Identifier: BSD-3-Clause
//
// Points of boxes, for the tests of this folder.
#pragma once

#include <cstdlib>
#include <numeric>
#include <vector>

#include "topology/coordinates.hpp"

namespace fg::topology {

/// All points of a box, with the last dimension fastest.
inline Coordinates box_points(const std::vector<int>& sides) {
  int count = 1;
  for (const int side : sides) count *= side;
  Coordinates points(count, static_cast<int>(sides.size()));
  for (int i = 0; i < count; ++i)
    for (std::size_t d = sides.size(), rest = static_cast<std::size_t>(i); d-- > 0;) {
      const auto side = static_cast<std::size_t>(sides[d]);
      points.of(i)[d] = static_cast<int>(rest % side);
      rest /= side;
    }
  return points;
}

inline std::vector<int> all_rows(const Coordinates& points) {
  std::vector<int> rows(static_cast<std::size_t>(points.nodes()));
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

/// The number of hops between two points of a mesh.
inline int hops(const Coordinates& points, int a, int b) {
  int sum = 0;
  for (int d = 0; d < points.dimensions(); ++d) sum += std::abs(points.at(a, d) - points.at(b, d));
  return sum;
}

}  // namespace fg::topology
