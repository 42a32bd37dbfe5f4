// SPDX-License-Identifier: BSD-3-Clause
#include "forces/bonded/term_assignment.hpp"

namespace fg {

TermOwner::TermOwner(const std::array<int, 3>& own, const std::array<int, 3>& grid) noexcept
    : own_(own) {
  // Each of two patches follows the other; the first one is chosen.
  for (int axis = 0; axis < 3; ++axis)
    if (grid[axis] == 2 && own[axis] == 1) not_shared_ |= static_cast<BlockSides>(1 << axis);
}

BlockSides TermOwner::sides(const std::array<int, 3>& patch) const noexcept {
  BlockSides sides = 0;
  for (int axis = 0; axis < 3; ++axis)
    if (patch[axis] != own_[axis]) sides |= static_cast<BlockSides>(1 << axis);
  return sides;
}

BondedBlock bonded_block(const std::array<int, 3>& own, const std::array<int, 3>& grid) noexcept {
  BondedBlock block;
  const auto width = [&](int axis) { return grid[axis] > 1 ? 2 : 1; };
  for (int x = 0; x < width(0); ++x)
    for (int y = 0; y < width(1); ++y)
      for (int z = 0; z < width(2); ++z)
        block.patches[block.size++] = {(own[0] + x) % grid[0], (own[1] + y) % grid[1],
                                       (own[2] + z) % grid[2]};
  return block;
}

}  // namespace fg
