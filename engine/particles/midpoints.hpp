// SPDX-License-Identifier: BSD-3-Clause
//
// Where the midpoint of a pair of quads (four atoms) is. A pair belongs to the cell of space that
// holds its midpoint, under the image that makes the pair. All who ask must agree, or a pair would
// be missed or computed twice. So a quad has one reference point, in whole numbers: patches are
// 2^20 long along each axis, in a tilted cell too. The reference is the middle of the quad, or the
// nearest point in its patch. Thus two quads whose patches are n patches apart have their midpoint
// at most n/2 + 1/2 patches from either patch's middle, which says how far a patch has to send its
// positions. Source of the assignment: Fitch et al., IBM RC 23956 (Blue Matter); Bowers, Dror,
// Shaw, J. Chem. Phys. 124, 184109 (2006), doi:10.1063/1.2191489.
//
// There are as many midpoint cells as patches. With an even reach they are the patches. Let the
// reach be odd, 2k + 1, and two quads have their midpoint in a patch. Along an axis these quads may
// then be k + 1 patches away on either side, in 2k + 3 patches in all. But if their midpoint is
// between the middles of two neighbouring patches, they are in the k + 1 patches on either side of
// the face between these two. So with an odd reach a midpoint cell goes from the middle of its
// patch to the middle of the next one, and needs 2k + 2 patches along this axis.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "particles/patch_block.hpp"
#include "particles/patch_grid.hpp"

namespace fg {

/// A place relative to the middle of a patch.
using PatchPoint = std::array<std::int32_t, 3>;
inline constexpr std::int32_t patch_length = 1 << 20;

/// The references of all quads of a patch, at the positions of a rebuild: Real [clusters][3][8]
/// from the middle of the patch [bohr]. Quads without atoms get the middle.
template <class Real>
void quad_references(const PatchGrid& grid, std::span<const std::int32_t> ids,
                     const Real* positions, std::vector<PatchPoint>& references);

/// A patch, seen from the one whose pairs are listed.
struct MidpointSide {
  std::array<int, 3> offset;               // in patches
  std::span<const PatchPoint> references;  // [quads]
};

/// The reference of a quad from the middle of the listing patch.
inline PatchPoint from_middle(const MidpointSide& side, std::size_t quad) noexcept {
  PatchPoint at = side.references[quad];
  for (std::size_t axis = 0; axis < 3; ++axis) at[axis] += side.offset[axis] * patch_length;
  return at;
}

/// The midpoint cell of a patch: the patch lists the pairs whose midpoint is in it. Its lower faces
/// belong to it.
class MidpointCell {
 public:
  /// The patches that a cell needs along an axis, counted from its own.
  struct Patches {
    int first, last;
  };
  static constexpr Patches patches(int reach) noexcept { return {-(reach / 2), (reach + 1) / 2}; }

  /// `reach`: up to how many patches away the partners of a patch are.
  MidpointCell(const PatchGrid& grid, const PatchIndex& patch, const std::array<int, 3>& reach) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const bool between = reach[axis] % 2 != 0;
      std::array<int, 3> below{};
      below[axis] = -1;
      // The first patch of an open box has what is below its middle, too.
      low_[axis] = between && grid.reaches(patch, below) ? 0 : -patch_length;
      high_[axis] = between ? 2 * patch_length : patch_length;
    }
  }

  /// Whether it holds the midpoint of two places.
  bool holds(const PatchPoint& a, const PatchPoint& b) const noexcept {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::int32_t twice = a[axis] + b[axis];
      if (twice < low_[axis] || twice >= high_[axis]) return false;
    }
    return true;
  }

  /// Whether it can hold the midpoint of quads of two patches.
  bool can_hold(const std::array<int, 3>& a, const std::array<int, 3>& b) const noexcept {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::int32_t twice = (a[axis] + b[axis]) * patch_length;  // of their middles
      if (twice + patch_length <= low_[axis] || twice - patch_length >= high_[axis]) return false;
    }
    return true;
  }

 private:
  PatchPoint low_, high_;  // of twice the midpoint, from the middle of the patch
};

}  // namespace fg
