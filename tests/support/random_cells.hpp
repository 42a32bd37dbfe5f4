// SPDX-License-Identifier: BSD-3-Clause
//
// Midpoint cells of any size.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "particles/assignment/midpoint_cells.hpp"

namespace fg::test {

/// Planes anywhere, a few of them on faces or on middles of `patches`.
inline CellCut random_cells(const std::array<int, 3>& shape, const std::array<int, 3>& patches,
                            unsigned seed) {
  std::mt19937 random(seed);
  CellCut cut{.shape = shape, .planes = {}};
  std::size_t lists = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::uniform_int_distribution<std::int32_t> anywhere(1, CellCut::edge - 1);
    std::uniform_int_distribution<int> half_patch(1, std::max(2 * patches[axis] - 1, 1));
    for (std::size_t list = 0; list < lists; ++list) {
      std::vector<std::int32_t> planes;
      while (static_cast<int>(planes.size()) < shape[axis] - 1) {
        planes.push_back(random() % 3 == 0
                             ? static_cast<std::int32_t>(std::int64_t{CellCut::edge} *
                                                         half_patch(random) / (2 * patches[axis]))
                             : anywhere(random));
        std::ranges::sort(planes);
        planes.erase(std::unique(planes.begin(), planes.end()), planes.end());
      }
      cut.planes.push_back(0);
      cut.planes.insert(cut.planes.end(), planes.begin(), planes.end());
      cut.planes.push_back(CellCut::edge);
    }
    lists *= static_cast<std::size_t>(shape[axis]);
  }
  return cut;
}

}  // namespace fg::test
