// SPDX-License-Identifier: BSD-3-Clause
//
// The entries of the energies of a step. First comes one for each name that bonded terms give. The
// entries of the pair kernel, the mesh, position restraints and the motion follow.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "forces/terms/terms.hpp"

namespace fg {

namespace energy_terms_detail {

struct Names {
  std::array<std::string_view, 64> name{};
  int count = 0;
  constexpr void add(std::string_view more) {
    for (int i = 0; i < count; ++i)
      if (name[i] == more) return;
    name[count++] = more;
  }
};

constexpr std::array<std::string_view, 5> of_other_objects{"lennard-jones", "coulomb", "mesh",
                                                           "restraint", "kinetic"};

constexpr Names all_names() {
  Names names;
  BondedTerms::for_each_kind([&]<class Term>() {
    // What adds to the entry of another object is listed with that one.
    if (std::find(of_other_objects.begin(), of_other_objects.end(), Term::energy) ==
        of_other_objects.end())
      names.add(Term::energy);
  });
  for (const auto name : of_other_objects) names.add(name);
  return names;
}
inline constexpr Names names = all_names();

}  // namespace energy_terms_detail

/// The last one is "kinetic".
inline constexpr std::span<const std::string_view> energy_terms{
    energy_terms_detail::names.name.data(),
    static_cast<std::size_t>(energy_terms_detail::names.count)};
inline constexpr int energy_term_count = energy_terms_detail::names.count;

/// The place of an entry; a name that is none does not compile.
consteval int energy_term(std::string_view name) {
  const auto at = std::find(energy_terms.begin(), energy_terms.end(), name);
  if (at == energy_terms.end()) throw "no such energy";
  return static_cast<int>(at - energy_terms.begin());
}

/// Whether the reports of a job have each entry. Entries of rare kinds of terms, and of restraints,
/// are reported only if the job has such terms.
inline std::array<bool, energy_term_count> reported_energies(const BondedTerms& terms,
                                                             bool restrained) {
  std::array<bool, energy_term_count> reported{};
  for (const auto name : energy_terms_detail::of_other_objects)
    for (int i = 0; i < energy_term_count; ++i)
      if (energy_terms[i] == name) reported[i] = true;
  BondedTerms::for_each_kind([&]<class Term>() {
    if (Term::always_reported || !terms.of<Term>().empty())
      reported[energy_term(Term::energy)] = true;
  });
  if (!restrained) reported[energy_term("restraint")] = false;
  return reported;
}

}  // namespace fg
