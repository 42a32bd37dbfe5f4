// SPDX-License-Identifier: BSD-3-Clause
//
// Pairs by their midpoints (midpoints.hpp): space is divided into cells, and each is a compute.
// There are as many cells as patches, all of one size, or the job cuts space by its work. Then the
// cells are boxes of any size, and their number does not depend on that of patches.
//
// A cell needs the patches whose middle is at most half the reach away from it (midpoints.hpp).
// Cells of one size are the patches themselves if the reach is even. If it is odd, a cell goes from
// the middle of its patch to the middle of the next one. So along an axis it needs as few patches
// as it can: one more than the reach.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "particles/assignment/cell_cut.hpp"
#include "particles/assignment/pair_division.hpp"

namespace fg {

/// A plane of a CellCut, from the lower corner of a box with so many patches along the axis.
constexpr std::int64_t plane_in_patches(std::int64_t plane, std::int64_t patches) noexcept {
  return plane * patches / (CellCut::edge / patch_length);
}

class MidpointCells final : public PairDivision {
 public:
  /// `reach`: up to how many patches away the partners of a patch are.
  MidpointCells(const PatchGrid& grid, const PatchOffset& reach);
  MidpointCells(const PatchGrid& grid, const PatchOffset& reach, CellCut cut);

  CellSpace space(const Element& element) const noexcept;
  bool in_space() const override { return true; }
  /// That of the middle of the cell; the lower one if this is between two.
  PatchIndex home(const Element& element) const override;
  PairPart part(const Element& element) const override;
  std::vector<Element> listeners(const PatchIndex& patch) const override;
  bool exists(const Element&) const override { return true; }

 private:
  /// Patches along an axis, counted on beyond the edges of a periodic box.
  struct Patches {
    int first, last;
  };
  CellSpan span(int axis, const Element& element) const noexcept;
  Patches needed(int axis, const CellSpan& span) const noexcept;
  bool needs(int axis, const Element& element, int patch) const noexcept;

  PatchOffset reach_;
  std::optional<CellCut> cut_;
};

}  // namespace fg
