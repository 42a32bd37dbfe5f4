// SPDX-License-Identifier: BSD-3-Clause
#include "topology/placement/patch_traffic.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace fg::topology {

namespace {

/// The patch at `offset` from a patch, or -1.
int neighbour(const PatchShape& shape, const std::array<int, 3>& at,
              const std::array<int, 3>& offset) {
  int flat = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const int side = shape.sides[axis];
    int to = at[axis] + offset[axis];
    if (to < 0 || to >= side) {
      if (!shape.periodic) return -1;
      to += to < 0 ? side : -side;
    }
    flat = flat * side + to;
  }
  return flat;
}

}  // namespace

std::int64_t patch_process_pairs(const PatchShape& shape,
                                 std::span<const std::array<int, 3>> offsets,
                                 std::span<const int> process_of_patch) {
  std::int64_t pairs = 0;
  std::vector<int> others;
  std::size_t patch = 0;
  for (int x = 0; x < shape.sides[0]; ++x)
    for (int y = 0; y < shape.sides[1]; ++y)
      for (int z = 0; z < shape.sides[2]; ++z, ++patch) {
        others.clear();
        for (const auto& offset : offsets) {
          const int first = neighbour(shape, {x, y, z}, {-offset[0], -offset[1], -offset[2]});
          if (first < 0) continue;
          const int process = process_of_patch[static_cast<std::size_t>(first)];
          if (process != process_of_patch[patch] &&
              std::ranges::find(others, process) == others.end())
            others.push_back(process);
        }
        pairs += static_cast<std::int64_t>(others.size());
      }
  return pairs;
}

}  // namespace fg::topology
