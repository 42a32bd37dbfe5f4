// SPDX-License-Identifier: BSD-3-Clause
//
// The bonded terms of a job listed under their first atom, and what their kernels share: one index
// for all patches.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "forces/terms/terms.hpp"
#include "particles/patch_block.hpp"

namespace fg {

/// Terms of one kind that have an energy, listed by their first atom.
template <class Term>
class TermList {
 public:
  using Atoms = std::array<std::int32_t, atoms_in<Term>>;

  /// Indices into the table of the terms of one copy.
  std::span<const std::int32_t> of_atom(int atom) const noexcept {
    const int i = copies_.within(atom);
    return {terms_.data() + first_[i], terms_.data() + first_[i + 1]};
  }
  /// The atoms of a term of this table that begins with the atom `first`, of any copy.
  Atoms atoms(const TermTable<Term>& terms, std::int32_t term, std::int32_t first) const noexcept {
    Atoms atoms = terms[term].atoms;
    if (!copies_.several()) return atoms;
    for (std::size_t k = 0; k < atoms.size(); ++k)
      atoms[k] = cells_.empty() ? copies_.first_beside(first) + atoms[k]
                                : copies_.atom(first, atoms[k], cells_[term][k]);
    return atoms;
  }
  /// The terms of all copies.
  std::int64_t size() const noexcept {
    return static_cast<std::int64_t>(terms_.size()) * copies_.count();
  }

 private:
  friend class TermIndex;
  std::vector<std::int32_t> first_;                      // [atoms of a copy + 1]
  std::vector<std::int32_t> terms_;                      // ascending for each atom
  std::vector<std::array<Int3, atoms_in<Term>>> cells_;  // [terms of a copy]; empty: all 0
  Copies copies_;
};

class TermIndex {
 public:
  /// With copies, `terms` and `atoms` are those of one. Where a term reaches beyond its cell, its
  /// atoms are those of the nearest images.
  TermIndex(const BondedTerms& terms, int atoms, const RepeatedCell& repeated = {});

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
  bool bonded(int atom) const noexcept { return bonded_[copies_.within(atom)] != 0; }

  const Copies& copies() const noexcept { return copies_; }

  /// The number of terms with an energy; BondedWorkset::size over all patches must add up to this.
  std::int64_t size() const noexcept {
    std::int64_t sum = 0;
    lists_.for_each([&](const auto& list) { sum += list.size(); });
    return sum;
  }

 private:
  template <class Term>
  struct TablesOf {
    typename Term::Shared::Tables tables;
  };

  template <class Term>
  void list(const TermTable<Term>& terms, int atoms, const RepeatedCell& repeated);

  PerBondedTerm<TermList> lists_;
  PerBondedTerm<TablesOf> tables_;
  std::vector<std::uint8_t> bonded_;  // [atoms of a copy]
  Copies copies_;
};

}  // namespace fg
