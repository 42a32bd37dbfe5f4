// SPDX-License-Identifier: BSD-3-Clause
//
// The places of patches in their grid.
#pragma once

#include <algorithm>
#include <array>

#include "topology/coordinates.hpp"

namespace fg::topology {

/// One row for each patch of a grid, numbered with the last axis fastest.
inline Coordinates patch_points(const std::array<int, 3>& sides) {
  Coordinates points(sides[0] * sides[1] * sides[2], 3);
  int patch = 0;
  for (int x = 0; x < sides[0]; ++x)
    for (int y = 0; y < sides[1]; ++y)
      for (int z = 0; z < sides[2]; ++z, ++patch)
        std::ranges::copy(std::array{x, y, z}, points.of(patch).begin());
  return points;
}

}  // namespace fg::topology
