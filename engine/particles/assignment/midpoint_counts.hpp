// SPDX-License-Identifier: BSD-3-Clause
//
// Where the pairs of atoms closer than a radius have their midpoint. Atoms that move together count
// where the first one is. Pairs between patches as far apart as their reach have their midpoint
// nearer to the middle between these patches, as midpoints.hpp says.
#pragma once

#include <span>

#include "particles/assignment/pair_counts.hpp"
#include "particles/assignment/space_sums.hpp"

namespace fg {

/// Adds `of_pair` to the bins for each pair of atoms.
void add_midpoints(const PatchGrid& grid, const PatchOffset& reach,
                   std::span<const CountedGroup> groups, double radius, double of_pair,
                   SpaceBins& bins);

/// The place of a position, in patches from the lower corner of the box.
std::array<double, 3> in_patches(const PatchGrid& grid, const Vec3& position) noexcept;

}  // namespace fg
