// SPDX-License-Identifier: BSD-3-Clause
//
// The position restraints of a job by atom.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "forces/restraints/position_restraint.hpp"

namespace fg {

class RestraintTable {
 public:
  RestraintTable() = default;
  /// An atom has at most one restraint.
  RestraintTable(std::span<const PositionRestraint> restraints, int atoms)
      : restraints_(restraints) {
    if (restraints.empty()) return;
    row_of_atom_.assign(static_cast<std::size_t>(atoms), -1);
    for (std::size_t row = 0; row < restraints.size(); ++row)
      row_of_atom_[static_cast<std::size_t>(restraints[row].atom)] = static_cast<std::int32_t>(row);
  }

  bool empty() const noexcept { return restraints_.empty(); }
  /// Null if the atom is free.
  const PositionRestraint* of(std::int32_t atom) const noexcept {
    if (restraints_.empty()) return nullptr;
    const std::int32_t row = row_of_atom_[static_cast<std::size_t>(atom)];
    return row < 0 ? nullptr : &restraints_[static_cast<std::size_t>(row)];
  }

 private:
  std::span<const PositionRestraint> restraints_;
  std::vector<std::int32_t> row_of_atom_;  // empty without restraints
};

}  // namespace fg
