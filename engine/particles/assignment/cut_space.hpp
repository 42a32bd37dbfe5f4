// SPDX-License-Identifier: BSD-3-Clause
//
// Cuts space into midpoint cells with equal work: first along x into slabs, then each slab along y,
// then each of these columns along z. This is recursive bisection of space by work where the counts
// are powers of two. Source: Fitch et al., IBM RC 23956 (Blue Matter).
#pragma once

#include <array>

#include "particles/assignment/cell_cut.hpp"
#include "particles/assignment/space_sums.hpp"

namespace fg {

/// As equal as the least and the greatest thickness of a cell allow. Where nobody has work, cells
/// are of one size. There are at least twice patches / CellCut::thickest cells along an axis.
CellCut cut_space(const SpaceSums& work, const std::array<int, 3>& shape);

}  // namespace fg
