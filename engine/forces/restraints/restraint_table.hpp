// SPDX-License-Identifier: BSD-3-Clause
//
// The position restraints of a job by atom. Copies of a cell have those of one, each at its place.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "forces/restraints/position_restraint.hpp"
#include "particles/patch_block.hpp"

namespace fg {

class RestraintTable {
 public:
  RestraintTable() = default;
  /// An atom has at most one restraint. With copies, `restraints` and `atoms` are those of one
  /// copy. A reference is taken to be in the cell where it is nearest to its atom.
  RestraintTable(std::span<const PositionRestraint> restraints, int atoms,
                 const RepeatedCell& repeated = {})
      : restraints_(restraints.begin(), restraints.end()),
        copies_(repeated.copies),
        cell_(repeated.cell) {
    if (restraints.empty()) return;
    if (copies_.several())
      for (PositionRestraint& one : restraints_) {
        const Vec3& at = repeated.positions[static_cast<std::size_t>(one.atom)];
        const Vec3 shift = cell_.position(cells_between(cell_, at, one.reference));
        one.reference += shift;
        if (one.follows) one.anchor += shift;
      }
    row_of_atom_.assign(static_cast<std::size_t>(atoms), -1);
    for (std::size_t row = 0; row < restraints.size(); ++row)
      row_of_atom_[static_cast<std::size_t>(restraints[row].atom)] = static_cast<std::int32_t>(row);
  }

  bool empty() const noexcept { return restraints_.empty(); }
  /// Whether the atom is restrained.
  bool holds(std::int32_t atom) const noexcept {
    return !restraints_.empty() &&
           row_of_atom_[static_cast<std::size_t>(copies_.within(atom))] >= 0;
  }
  /// The restraint of an atom that is restrained.
  PositionRestraint of(std::int32_t atom) const noexcept {
    const auto within = static_cast<std::size_t>(copies_.within(atom));
    PositionRestraint restraint = restraints_[static_cast<std::size_t>(row_of_atom_[within])];
    if (!copies_.several()) return restraint;
    const Vec3 offset = cell_.position(copies_.place(copies_.of_atom(atom)));
    restraint.atom = atom;
    restraint.reference += offset;
    if (restraint.follows) restraint.anchor += offset;
    return restraint;
  }

 private:
  std::vector<PositionRestraint> restraints_;
  std::vector<std::int32_t> row_of_atom_;  // empty without restraints
  Copies copies_;
  Box cell_;
};

}  // namespace fg
