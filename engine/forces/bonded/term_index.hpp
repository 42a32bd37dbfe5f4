// SPDX-License-Identifier: BSD-3-Clause
//
// The terms of a topology listed under their first atom, one index for all patches.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "particles/topology.hpp"

namespace fg {

/// Terms listed by their first atom.
class TermList {
 public:
  std::span<const std::int32_t> of_atom(int atom) const noexcept {
    return {terms_.data() + first_[atom], terms_.data() + first_[atom + 1]};
  }
  int size() const noexcept { return static_cast<int>(terms_.size()); }

 private:
  friend class TermIndex;
  std::vector<std::int32_t> first_;  // [atoms + 1]
  std::vector<std::int32_t> terms_;  // ascending for each atom
};

class TermIndex {
 public:
  TermIndex(const Topology& topology, int atoms);

  const TermList& bonds() const noexcept { return bonds_; }
  const TermList& angles() const noexcept { return angles_; }
  const TermList& torsions() const noexcept { return torsions_; }
  /// Without pure exclusions, which have no energy.
  const TermList& exceptions() const noexcept { return exceptions_; }
  const TermList& far_exclusions() const noexcept { return far_exclusions_; }

  /// Whether any term contains the atom. A patch sends the positions of these atoms only.
  bool bonded(int atom) const noexcept { return bonded_[atom] != 0; }

  /// The number of terms with an energy; BondedWorkset::size over all patches must add up to this.
  int size() const noexcept {
    return bonds_.size() + angles_.size() + torsions_.size() + exceptions_.size() +
           far_exclusions_.size();
  }

 private:
  TermList bonds_, angles_, torsions_, exceptions_, far_exclusions_;
  std::vector<std::uint8_t> bonded_;  // [atoms]
};

}  // namespace fg
