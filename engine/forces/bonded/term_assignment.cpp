// SPDX-License-Identifier: BSD-3-Clause
#include "forces/bonded/term_assignment.hpp"

#include <algorithm>
#include <bit>

namespace fg {

namespace {

/// The places of a block along one axis, each another patch.
int places_along(int patches, int reach) noexcept {
  return std::min(reach + 1, patches);
}

/// Whether patch `own` of a row has a term with atoms in these places of its block. On a short row
/// the atoms may be in the blocks of several of their patches. Then it is the patch from which the
/// farthest atom is nearest, and the first of such patches.
bool owns_along(int own, int patches, int reach, unsigned places) noexcept {
  if ((places & 1U) == 0) return false;
  const int farthest = std::bit_width(places) - 1;
  for (int other = 1; other <= farthest; ++other) {
    if ((places >> other & 1U) == 0) continue;
    // The same places, counted from this patch.
    int from_there = 0;
    for (int place = 0; place <= farthest; ++place)
      if ((places >> place & 1U) != 0)
        from_there = std::max(from_there, (place - other + patches) % patches);
    if (from_there > reach) continue;
    if (from_there < farthest || (from_there == farthest && (own + other) % patches < own))
      return false;
  }
  return true;
}

}  // namespace

TermOwner::TermOwner(const std::array<int, 3>& own, const std::array<int, 3>& grid,
                     const std::array<int, 3>& reach)
    : own_(own), grid_(grid) {
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (unsigned places = 1; places < 1U << places_along(grid[axis], reach[axis]); ++places)
      if (owns_along(own[axis], grid[axis], reach[axis], places)) owned_[axis] |= 1U << places;
}

BlockSides TermOwner::sides(const std::array<int, 3>& patch) const noexcept {
  std::array<int, 3> place;
  for (std::size_t axis = 0; axis < 3; ++axis)
    place[axis] = (patch[axis] - own_[axis] + grid_[axis]) % grid_[axis];
  return BlockSides(place);
}

std::vector<std::array<int, 3>> bonded_block(const std::array<int, 3>& own,
                                             const std::array<int, 3>& grid,
                                             const std::array<int, 3>& reach) {
  std::vector<std::array<int, 3>> block;
  const auto places = [&](std::size_t axis) { return places_along(grid[axis], reach[axis]); };
  block.reserve(static_cast<std::size_t>(places(0) * places(1) * places(2)));
  for (int x = 0; x < places(0); ++x)
    for (int y = 0; y < places(1); ++y)
      for (int z = 0; z < places(2); ++z)
        block.push_back({(own[0] + x) % grid[0], (own[1] + y) % grid[1], (own[2] + z) % grid[2]});
  return block;
}

}  // namespace fg
