// SPDX-License-Identifier: BSD-3-Clause
//
// The quads of some patches that may have a pair with its midpoint in a cell. They are at most
// about half the cutoff of a list, and the size of quads, away from the cell. Only they are looked
// at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/vec3.hpp"
#include "particles/patch_point.hpp"

namespace fg {

class MidpointCell;
struct MidpointSide;

class MidpointCandidates {
 public:
  /// `sides`: the patches. `widths`: between opposite faces of a patch. `cutoff` in the same unit.
  void find(const MidpointCell& cell, std::span<const MidpointSide> sides, const Vec3& widths,
            double cutoff);

  /// Their numbers among the quads of all patches, ascending.
  std::span<const std::int32_t> quads() const noexcept { return quads_; }
  /// A patch has [first(patch), first(patch + 1)) of them.
  std::int32_t first(int patch) const noexcept { return first_[static_cast<std::size_t>(patch)]; }
  bool has_any(int patch) const noexcept { return first(patch) < first(patch + 1); }
  /// Whether a quad of all patches is one of them.
  bool holds(std::int32_t quad) const noexcept {
    return holds_[static_cast<std::size_t>(quad)] != 0;
  }
  /// The same for all of them.
  std::span<const std::uint8_t> held() const noexcept { return holds_; }
  /// The reference of any quad, from the middle of the home patch.
  const PatchPoint& point(std::int32_t quad) const noexcept {
    return points_[static_cast<std::size_t>(quad)];
  }
  std::int32_t all_quads() const noexcept { return static_cast<std::int32_t>(points_.size()); }

 private:
  std::vector<PatchPoint> points_;   // [quads of all patches]
  std::vector<std::uint8_t> holds_;  // [quads of all patches]
  std::vector<std::int32_t> quads_;
  std::vector<std::int32_t> first_;  // [patches + 1]
};

}  // namespace fg
