// SPDX-License-Identifier: BSD-3-Clause
//
// About how many pairs of atoms are closer than a radius, by patch and direction of its half shell.
// Atoms are counted in small cells. Two cells count with the share of their pairs that would be
// near enough if atoms were anywhere in their cells. That takes far less time than one search of
// pairs, and holds for droplets and surfaces too. Units: bohr.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "particles/half_shell.hpp"
#include "particles/patch_grid.hpp"

namespace fg {

/// Atoms that move together count where their first atom is.
struct CountedGroup {
  Vec3 position;
  std::int32_t atoms = 0;
};

class PairCounts {
 public:
  /// The same numbers in every process: all sums are of integers.
  PairCounts(const PatchGrid& grid, const HalfShell& shell, std::span<const CountedGroup> groups,
             double radius);

  std::int64_t atoms(int patch) const noexcept { return atoms_[static_cast<std::size_t>(patch)]; }
  /// Between a patch and its neighbour in this direction, an index of the half shell; direction 0
  /// is within the patch.
  std::int64_t pairs(int patch, int direction) const noexcept {
    return pairs_[static_cast<std::size_t>(patch) * directions_ +
                  static_cast<std::size_t>(direction)];
  }

 private:
  std::size_t directions_;
  std::vector<std::int64_t> atoms_, pairs_;  // by patch; by patch and direction
};

}  // namespace fg
