// SPDX-License-Identifier: BSD-3-Clause
//
// What the pair lists of a job's computes will hold, from the pairs that are counted and from where
// the patches and cells are. The pairs are counted; the rest is as in a list at constant density.
#pragma once

#include <cstdint>
#include <vector>

#include "classical/division/counted_groups.hpp"
#include "particles/assignment/pair_division.hpp"
#include "particles/patch_grid.hpp"

namespace fg::classical {

struct ListWork {
  std::int64_t pairs = 0;
  std::int64_t atoms = 0;           // of all patches that the compute needs
  std::int64_t patches = 0;         // those that its list touches
  std::int64_t rows = 0;            // quads that have partners in the list
  std::int64_t midpoint_atoms = 0;  // that a midpoint cell looks at for a new list
};

/// By number of the compute. `cutoff`: the radius of the inner list [bohr].
std::vector<ListWork> work_of_lists(const PatchGrid& grid, const PairDivision& division,
                                    const CountedPairs& counts, double cutoff);

}  // namespace fg::classical
