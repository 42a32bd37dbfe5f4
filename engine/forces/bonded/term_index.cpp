// SPDX-License-Identifier: BSD-3-Clause
#include "forces/bonded/term_index.hpp"

#include <string>

#include "base/error.hpp"

namespace fg {

namespace {

bool has_energy(const Exception& e) noexcept {
  return e.charge_product != 0 || e.epsilon != 0;
}
template <class Term>
bool has_energy(const Term&) noexcept {
  return true;
}

}  // namespace

TermIndex::TermIndex(const Topology& topology, int atoms) : bonded_(atoms, 0) {
  const auto sort_by_first_atom = [&](const auto& terms, TermList& list, const char* kind) {
    list.first_.assign(atoms + 1, 0);
    for (const auto& term : terms) {
      for (const std::int32_t atom : term.atoms)
        if (atom < 0 || atom >= atoms)
          throw InputError({.what = std::string(kind) + " names atom " + std::to_string(atom + 1),
                            .limit = std::to_string(atoms) + " atoms"});
      if (!has_energy(term)) continue;
      for (const std::int32_t atom : term.atoms) bonded_[atom] = 1;
      ++list.first_[term.atoms[0] + 1];
    }
    for (int atom = 0; atom < atoms; ++atom) list.first_[atom + 1] += list.first_[atom];
    list.terms_.resize(list.first_[atoms]);
    std::vector<std::int32_t> next(list.first_.begin(), list.first_.end() - 1);
    for (std::size_t i = 0; i < terms.size(); ++i)
      if (has_energy(terms[i]))
        list.terms_[next[terms[i].atoms[0]]++] = static_cast<std::int32_t>(i);
  };
  sort_by_first_atom(topology.bonds, bonds_, "a bond");
  sort_by_first_atom(topology.angles, angles_, "an angle");
  sort_by_first_atom(topology.torsions, torsions_, "a torsion");
  sort_by_first_atom(topology.exceptions, exceptions_, "an exception");
  sort_by_first_atom(topology.far_exclusions, far_exclusions_, "an exclusion");
}

}  // namespace fg
