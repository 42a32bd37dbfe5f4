// SPDX-License-Identifier: BSD-3-Clause
//
// Parts of space, and how a job cuts space into cells for pairs by their midpoints.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace fg {

/// From a plane to another along an axis, from the lower corner of the box; a patch is patch_length
/// long.
struct CellSpan {
  std::int64_t low, high;
};
using CellSpace = std::array<CellSpan, 3>;

/// How space is cut into cells: along x, then each part along y, then each of these along z. Each
/// list of planes is ascending. It begins at the lower face of the box and ends at the upper one.
/// The edges of the box are `edge` long, since a box that shrinks gets fewer patches.
struct CellCut {
  static constexpr std::int32_t edge = 1 << 30;
  static constexpr int thickest = 255;        // of a cell, in patches
  static constexpr int most_in_a_patch = 16;  // cells along an axis

  std::array<int, 3> shape{};
  /// [x + 1], then [x][y + 1], then [x][y][z + 1]
  std::vector<std::int32_t> planes;

  /// The least thickness of a cut cell, with so many patches along the axis.
  static constexpr std::int32_t thinnest(int patches) noexcept { return edge / 64 / patches; }
  /// The size of `planes`.
  static std::size_t planes_of(const std::array<int, 3>& shape) noexcept;
  /// A cell along an axis. Along x, `y` and `z` do not count, and along y, `z` does not.
  CellSpan along(int axis, int x, int y, int z) const noexcept;
};

}  // namespace fg
