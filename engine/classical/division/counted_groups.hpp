// SPDX-License-Identifier: BSD-3-Clause
//
// The fragments and pairs of a system as estimates of work count them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "classical/job/system.hpp"
#include "particles/assignment/pair_counts.hpp"
#include "particles/assignment/space_sums.hpp"

namespace fg::classical {

std::vector<CountedGroup> groups_of(const FragmentTable& fragments,
                                    std::span<const Vec3> positions);
/// Adds `of_pair` for each pair of atoms within the inner list, where its midpoint is.
void add_midpoints(const System& system, const PatchGrid& grid, std::span<const Vec3> positions,
                   double of_pair, SpaceBins& bins);
/// The bonded terms whose first atom is in a fragment.
std::int64_t terms_of_fragment(const System& system, int fragment);

/// The pairs within the inner list.
struct CountedPairs {
  PairCounts by_direction;
  std::optional<SpaceSums> by_midpoint;  // of jobs that have pairs by these
};

/// Most of the time of an estimate goes here.
CountedPairs count_pairs(const System& system, const PatchGrid& grid,
                         std::span<const Vec3> positions);

}  // namespace fg::classical
