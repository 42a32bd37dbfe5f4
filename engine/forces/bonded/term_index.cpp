// SPDX-License-Identifier: BSD-3-Clause
#include "forces/bonded/term_index.hpp"

#include <string>

#include "base/error.hpp"

namespace fg {

TermIndex::TermIndex(const BondedTerms& terms, int atoms, const RepeatedCell& repeated)
    : bonded_(atoms, 0), copies_(repeated.copies) {
  BondedTerms::for_each_kind([&]<class Term>() {
    list(terms.of<Term>(), atoms, repeated);
    tables_.of<Term>().tables = typename Term::Shared::Tables(terms.shared<Term>());
  });
}

template <class Term>
void TermIndex::list(const TermTable<Term>& terms, int atoms, const RepeatedCell& repeated) {
  TermList<Term>& list = lists_.of<Term>();
  list.copies_ = repeated.copies;
  list.first_.assign(atoms + 1, 0);
  for (const Term& term : terms) {
    for (const std::int32_t atom : term.atoms)
      if (atom < 0 || atom >= atoms)
        throw InputError(
            {.what = std::string(Term::name) + " names atom " + std::to_string(atom + 1),
             .limit = std::to_string(atoms) + " atoms"});
    if (!term.counts()) continue;
    for (const std::int32_t atom : term.atoms) bonded_[atom] = 1;
    ++list.first_[term.atoms[0] + 1];
  }
  for (int atom = 0; atom < atoms; ++atom) list.first_[atom + 1] += list.first_[atom];
  list.terms_.resize(list.first_[atoms]);
  std::vector<std::int32_t> next(list.first_.begin(), list.first_.end() - 1);
  for (std::size_t i = 0; i < terms.size(); ++i)
    if (terms[i].counts()) list.terms_[next[terms[i].atoms[0]]++] = static_cast<std::int32_t>(i);
  if (!repeated.copies.several()) return;
  bool all_beside = true;
  list.cells_.reserve(terms.size());
  for (const Term& term : terms) {
    const auto& cells =
        list.cells_.emplace_back(cells_of_term(repeated.cell, repeated.positions, term.atoms));
    for (const Int3& cell : cells) all_beside &= cell == Int3{};
  }
  if (all_beside) list.cells_ = {};
}

}  // namespace fg
