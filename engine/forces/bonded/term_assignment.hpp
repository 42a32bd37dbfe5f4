// SPDX-License-Identifier: BSD-3-Clause
//
// Decides which patch computes a bonded term. Along each axis it is the lowest patch of those with
// its atoms, counted across the edge of the box. Terms are short: their atoms are within the
// compute's block, which is its patch and those up to `reach` above it along each axis.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace fg {

/// The patches of a block with atoms of a term: for each axis a bit for each patch of the block.
class BlockSides {
 public:
  static constexpr int most_reach = 4;

  constexpr BlockSides() noexcept = default;
  /// One patch of a block, by its place from the lowest.
  constexpr explicit BlockSides(const std::array<int, 3>& place) noexcept {
    for (int axis = 0; axis < 3; ++axis) bits_ |= 1U << (width * axis + place[axis]);
  }
  constexpr BlockSides operator|(const BlockSides& other) const noexcept {
    BlockSides both;
    both.bits_ = static_cast<std::uint16_t>(bits_ | other.bits_);
    return both;
  }
  constexpr unsigned along(int axis) const noexcept {
    return bits_ >> (width * axis) & ((1U << width) - 1);
  }

 private:
  static constexpr int width = most_reach + 1;
  std::uint16_t bits_ = 0;
};

class TermOwner {
 public:
  /// `reach`: 1 to BlockSides::most_reach.
  TermOwner(const std::array<int, 3>& own, const std::array<int, 3>& grid,
            const std::array<int, 3>& reach);

  /// Where a patch of the block of `own` lies in it.
  BlockSides sides(const std::array<int, 3>& patch) const noexcept;

  /// Whether `own` computes a term whose atoms are all in these patches of its block.
  bool owns(const BlockSides& all) const noexcept {
    for (int axis = 0; axis < 3; ++axis)
      if ((owned_[static_cast<std::size_t>(axis)] >> all.along(axis) & 1U) == 0) return false;
    return true;
  }

 private:
  std::array<int, 3> own_, grid_;
  std::array<std::uint32_t, 3> owned_{};  // along an axis: a bit for each set of patches
};

/// The distinct patches of the block of `own`, in ascending (x, y, z) offset. There are fewer than
/// the reach allows where an axis has few patches.
std::vector<std::array<int, 3>> bonded_block(const std::array<int, 3>& own,
                                             const std::array<int, 3>& grid,
                                             const std::array<int, 3>& reach);

}  // namespace fg
