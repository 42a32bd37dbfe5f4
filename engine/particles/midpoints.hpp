// SPDX-License-Identifier: BSD-3-Clause
//
// Where the midpoint of a pair of quads (four atoms) is. A pair belongs to the cell of space that
// holds its midpoint, under the image that makes the pair. All who ask must agree, or a pair would
// be missed or computed twice. So a quad has one reference point, in whole numbers: patches are
// 2^20 long along each axis, in a tilted cell too. The reference is the middle of the quad, or the
// nearest point in its patch. Source of the assignment: Fitch et al., IBM RC 23956 (Blue Matter);
// Bowers, Dror, Shaw, J. Chem. Phys. 124, 184109 (2006), doi:10.1063/1.2191489.
//
// Patches that have pairs are up to their reach away from each other. If they are that far away
// along an axis, the midpoint of their quads is taken nearer to the middle between both patches: at
// an eighth of its distance from there. It is near that middle anyway, since quads that are close
// are near the sides of their patches that face each other. So along each axis a cell needs hardly
// more patches than those whose middle is up to half the reach away from it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "particles/half_shell.hpp"
#include "particles/patch_block.hpp"
#include "particles/patch_grid.hpp"
#include "particles/patch_point.hpp"

namespace fg {

/// How much nearer midpoints of patches as far apart as their reach are to the middle between them.
inline constexpr std::int32_t squeeze = 8;

/// Where a quad is in its patch.
struct QuadPlace {
  PatchPoint reference;
  /// Along each axis, no atom is farther from the reference. At most 1024 patches.
  PatchPoint spread;
};

/// The places of all quads of a patch, at the positions of a rebuild: Real [clusters][3][8] from
/// the middle of the patch [bohr]. Quads without atoms are in the middle.
template <class Real>
void place_quads(const PatchGrid& grid, std::span<const std::int32_t> ids, const Real* positions,
                 std::vector<QuadPlace>& places);

/// A patch, seen from the one whose pairs are listed.
struct MidpointSide {
  PatchOffset offset;
  std::span<const QuadPlace> quads;
};

/// The reference of a quad from the middle of the listing patch.
inline PatchPoint from_middle(const MidpointSide& side, std::size_t quad) noexcept {
  PatchPoint at = side.quads[quad].reference;
  for (std::size_t axis = 0; axis < 3; ++axis) at[axis] += side.offset[axis] * patch_length;
  return at;
}

/// Limits of twice a midpoint, from the middle of the home patch. The lower ones belong to it.
struct MidpointRange {
  PatchPoint low, high;

  /// Whether the midpoint of two places is in it.
  bool holds(const PatchPoint& a, const PatchPoint& b) const noexcept {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::int32_t twice = a[axis] + b[axis];
      if (twice < low[axis] || twice >= high[axis]) return false;
    }
    return true;
  }
};

/// A cell of space, seen from its home patch. A compute has all pairs whose midpoint is in it.
class MidpointCell {
 public:
  /// `reach`: up to how many patches away the partners of a patch are.
  MidpointCell(const MidpointRange& space, const PatchOffset& reach)
      : space_(space), reach_(reach) {}

  /// Where quads of two patches must have the middle of their references to be in the cell; nothing
  /// if they cannot.
  std::optional<MidpointRange> between(const PatchOffset& a, const PatchOffset& b) const noexcept {
    MidpointRange range{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto limits = along(axis, a[axis], b[axis]);
      if (!limits) return std::nullopt;
      range.low[axis] = limits->low;
      range.high[axis] = limits->high;
    }
    return range;
  }

  /// The same along one axis.
  struct Limits {
    std::int32_t low, high;
  };
  std::optional<Limits> along(std::size_t axis, int a, int b) const noexcept {
    const int apart = a < b ? b - a : a - b;
    if (apart > reach_[axis]) return std::nullopt;
    const std::int32_t middle = (a + b) * patch_length;  // twice
    // The sum of two references is at least this, and below that.
    const std::int32_t least = middle - patch_length, most = middle + patch_length - 1;
    Limits limits{.low = space_.low[axis], .high = space_.high[axis]};
    if (apart == reach_[axis]) {
      const auto away = [&](std::int32_t plane) {
        const std::int64_t there = middle + std::int64_t{squeeze} * (plane - middle);
        return static_cast<std::int32_t>(std::clamp<std::int64_t>(there, least, most));
      };
      limits = {.low = away(limits.low), .high = away(limits.high)};
    }
    if (most <= limits.low || least >= limits.high) return std::nullopt;
    return limits;
  }

 private:
  MidpointRange space_;
  PatchOffset reach_;
};

}  // namespace fg
