// SPDX-License-Identifier: BSD-3-Clause
//
// Where the midpoint of a pair of quads (four atoms) is. A pair belongs to the patch that holds its
// midpoint, under the image that makes the pair. All who ask must agree, or a pair would be missed
// or computed twice. So a quad has one reference point, in whole numbers: patches are 2^20 long
// along each axis, in a tilted cell too. The reference is the middle of the quad, or the nearest
// point in its patch. Thus two quads whose patches are n patches apart have their midpoint at most
// n/2 + 1/2 patches from either patch's middle, which says how far a patch has to send its
// positions. Source of the assignment: Fitch et al., IBM RC 23956 (Blue Matter); Bowers, Dror,
// Shaw, J. Chem. Phys. 124, 184109 (2006), doi:10.1063/1.2191489.
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

/// Whether the midpoint of two places is in the listing patch. Its lower faces belong to it.
inline bool meet_here(const PatchPoint& a, const PatchPoint& b) noexcept {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::int32_t twice = a[axis] + b[axis];
    if (twice < -patch_length || twice >= patch_length) return false;
  }
  return true;
}

/// Whether quads of two patches can.
inline bool can_meet_here(const std::array<int, 3>& a, const std::array<int, 3>& b) noexcept {
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (a[axis] + b[axis] < -1 || a[axis] + b[axis] > 1) return false;
  return true;
}

}  // namespace fg
