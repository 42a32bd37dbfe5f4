// SPDX-License-Identifier: BSD-3-Clause
//
// The pair lists that the computes of a job make of its first positions.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "classical/job/pair_settings.hpp"
#include "particles/assignment/half_shell_pairs.hpp"
#include "particles/assignment/midpoint_cells.hpp"
#include "support/classical/pair_system.hpp"

namespace fg::test {

/// All atoms of a job, without exclusions.
inline PairSystem atoms_of(const Job& job) {
  PairSystem all{.box = job.box, .positions = start_positions(job)};
  const JobAtoms& atoms = job.atoms;
  for (int copy = 0; copy < job.copies().count(); ++copy)
    for (const auto& [to, from] :
         {std::pair{&all.atoms.charge, &atoms.charge}, std::pair{&all.atoms.sigma, &atoms.sigma},
          std::pair{&all.atoms.epsilon, &atoms.epsilon}})
      to->insert(to->end(), from->begin(), from->end());
  const auto number = static_cast<int>(all.positions.size());
  const Copies once{{1, 1, 1}, number};
  all.atoms.copies = once;
  const std::vector<std::array<std::int32_t, 2>> none;
  all.exclusions = make_exclusion_table(number, none, none, {once, all.box, all.positions});
  return all;
}

/// `atoms` of the job must live as long. Computes are in the order of their numbers.
inline PatchedSystem<float> lists_of(const Job& job, const PairSystem& atoms) {
  const classical::System system(job);
  const PatchGrid& grid = system.grid();
  const PairSettings settings = classical::pair_settings(job.settings);
  const auto division = classical::pair_division(system, grid);
  if (const auto* const cells = dynamic_cast<const MidpointCells*>(division.get()))
    return {atoms, grid.shape(), settings, *cells};
  const PairRuns& runs = dynamic_cast<const HalfShellPairs&>(*division).runs();
  std::vector<int> lengths;
  for (int run = 0; run < runs.count(); ++run)
    lengths.push_back(static_cast<int>(runs.run(run).size()));
  return {atoms, grid.shape(), settings, lengths, classical::half_shell(system)};
}

}  // namespace fg::test
