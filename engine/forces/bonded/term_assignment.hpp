// SPDX-License-Identifier: BSD-3-Clause
//
// Decides which patch computes a bonded term. Along each axis it is the patch that all atoms share.
// If the atoms lie in two adjacent patches, it is the lower of the two (periodic). So the compute
// of patch p needs the atoms of the 2 x 2 x 2 block p .. p + 1 and no others.
#pragma once

#include <array>
#include <cstdint>

namespace fg {

/// Where a patch lies in a block: bit `axis` is set for the upper of the two patches of that axis.
using BlockSides = std::uint8_t;

class TermOwner {
 public:
  TermOwner(const std::array<int, 3>& own, const std::array<int, 3>& grid) noexcept;

  /// The sides of a patch in the block of `own`.
  BlockSides sides(const std::array<int, 3>& patch) const noexcept;

  /// Whether `own` computes a term whose atoms are all in its block. `every` has the bits that the
  /// sides of all these atoms have, and `any` the bits that at least one has.
  bool owns(BlockSides every, BlockSides any) const noexcept {
    return every == 0 && (any & not_shared_) == 0;
  }

 private:
  std::array<int, 3> own_;
  BlockSides not_shared_ = 0;  // axes along which the other patch has the terms of both
};

/// The distinct patches of the block of `own`, in ascending (x, y, z) offset. There are fewer than
/// eight where an axis has one patch.
struct BondedBlock {
  int size = 0;
  std::array<std::array<int, 3>, 8> patches{};
};
BondedBlock bonded_block(const std::array<int, 3>& own, const std::array<int, 3>& grid) noexcept;

}  // namespace fg
