// SPDX-License-Identifier: BSD-3-Clause
//
// Decides which patch computes a bonded term. Along each axis it is the patch that all atoms share,
// or, if the atoms lie in two adjacent patches, the lower of the two (periodic). So the compute of
// patch p needs the atoms of the 2 x 2 x 2 block p .. p + 1 and no others.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace fg {

/// The owner along one axis of `count` patches; nothing if the atoms are spread over more than two
/// adjacent patches.
std::optional<int> term_owner(std::span<const int> coordinates, int count) noexcept;

/// The owner of a term whose atoms lie in `patches`.
std::optional<std::array<int, 3>> term_owner(std::span<const std::array<int, 3>> patches,
                                             const std::array<int, 3>& grid) noexcept;

/// The distinct patches of the block of `own`, in ascending (x, y, z) offset; fewer than eight
/// where an axis has one patch.
struct BondedBlock {
  int size = 0;
  std::array<std::array<int, 3>, 8> patches{};
};
BondedBlock bonded_block(const std::array<int, 3>& own, const std::array<int, 3>& grid) noexcept;

}  // namespace fg
