// SPDX-License-Identifier: BSD-3-Clause
#include "classical/division/counted_groups.hpp"

#include "classical/job/pair_settings.hpp"
#include "particles/assignment/midpoint_counts.hpp"

namespace fg::classical {

std::vector<CountedGroup> groups_of(const FragmentTable& fragments,
                                    std::span<const Vec3> positions) {
  std::vector<CountedGroup> groups;
  groups.reserve(static_cast<std::size_t>(fragments.size()));
  for (int f = 0; f < fragments.size(); ++f) {
    const auto atoms = fragments.atoms(f);
    groups.push_back({.position = positions[static_cast<std::size_t>(atoms[0])],
                      .atoms = static_cast<std::int32_t>(atoms.size())});
  }
  return groups;
}

void add_midpoints(const System& system, const PatchGrid& grid, std::span<const Vec3> positions,
                   double of_pair, SpaceBins& bins) {
  fg::add_midpoints(grid, reach_of(system.job()), groups_of(system.fragments(), positions),
                    system.job().settings.inner_list_cutoff, of_pair, bins);
}

std::int64_t terms_of_fragment(const System& system, int fragment) {
  std::int64_t terms = 0;
  BondedTerms::for_each_kind([&]<class Term>() {
    for (const auto atom : system.fragments().atoms(fragment))
      terms += static_cast<std::int64_t>(system.terms().of<Term>().of_atom(atom).size());
  });
  return terms;
}

CountedPairs count_pairs(const System& system, const PatchGrid& grid,
                         std::span<const Vec3> positions) {
  const auto& settings = system.job().settings;
  CountedPairs counts{
      .by_direction = {grid, half_shell(system), groups_of(system.fragments(), positions),
                       settings.inner_list_cutoff},
      .by_midpoint = std::nullopt};
  if (settings.pairs == PairAssignment::midpoint) {
    SpaceBins bins(grid);
    add_midpoints(system, grid, positions, 1, bins);
    counts.by_midpoint.emplace(bins);
  }
  return counts;
}

}  // namespace fg::classical
