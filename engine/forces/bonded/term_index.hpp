// SPDX-License-Identifier: BSD-3-Clause
//
// The bonded terms of a job listed under their first atom, and what their kernels share: one index
// for all patches.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "forces/terms/terms.hpp"

namespace fg {

/// Terms of one kind that have an energy, listed by their first atom.
template <class Term>
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
  TermIndex(const BondedTerms& terms, int atoms);

  template <class Term>
  const TermList<Term>& of() const noexcept {
    return lists_.of<Term>();
  }

  /// What the kernels of one kind share. Kernels may point into it.
  template <class Term>
  const typename Term::Shared::Tables& tables() const noexcept {
    return tables_.of<Term>().tables;
  }

  /// Whether any term contains the atom. A patch sends the positions of these atoms only.
  bool bonded(int atom) const noexcept { return bonded_[atom] != 0; }

  /// The number of terms with an energy; BondedWorkset::size over all patches must add up to this.
  int size() const noexcept {
    int sum = 0;
    lists_.for_each([&](const auto& list) { sum += list.size(); });
    return sum;
  }

 private:
  template <class Term>
  struct TablesOf {
    typename Term::Shared::Tables tables;
  };

  template <class Term>
  void list(const TermTable<Term>& terms, int atoms);

  PerBondedTerm<TermList> lists_;
  PerBondedTerm<TablesOf> tables_;
  std::vector<std::uint8_t> bonded_;  // [atoms]
};

}  // namespace fg
