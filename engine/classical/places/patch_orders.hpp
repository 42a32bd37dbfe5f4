// SPDX-License-Identifier: BSD-3-Clause
//
// Orders of patches in the row that is cut into ranges for PEs. Pure functions of integers, so that
// all processes find the same.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "particles/patch_grid.hpp"
#include "topology/placement/pe_layout.hpp"

namespace fg::classical {

/// x slowest, z fastest.
std::vector<int> index_order(const PatchGrid& grid);

/// This one, and the orders in which the ways of topology/placement/patch_places.hpp
/// give whole patches to PEs. The patches of one PE follow each other along Hilbert's curve.
/// `loads` are by patch, `already` by PE.
std::vector<std::vector<int>> patch_orders(const PatchGrid& grid,
                                           std::span<const std::int64_t> loads,
                                           std::span<const std::int64_t> already,
                                           const topology::PeLayout& layout);

}  // namespace fg::classical
