// SPDX-License-Identifier: BSD-3-Clause
//
// How even the work of the midpoint cells of a job is, as JSON: by the estimate that cuts space,
// and by the pair lists that computes make of the first positions. Each has its pairs, and the
// atoms and bonded terms in its space. Usage: cell_work JOB
#include <algorithm>
#include <array>
#include <cstdio>
#include <numeric>
#include <utility>
#include <vector>

#include "classical/division/cut_cells.hpp"
#include "classical/division/work_estimate.hpp"
#include "classical/job/pair_settings.hpp"
#include "particles/assignment/midpoint_cells.hpp"
#include "support/classical/pair_system.hpp"

namespace {

using namespace fg;
using namespace fg::classical;

/// All atoms of a job, without exclusions.
test::PairSystem atoms_of(const Job& job) {
  test::PairSystem all{.box = job.box, .positions = start_positions(job)};
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

double fullest_over_average(const std::vector<double>& work) {
  const double sum = std::accumulate(work.begin(), work.end(), 0.0);
  return *std::ranges::max_element(work) * static_cast<double>(work.size()) / sum;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 1;
  const Job job = load_job(argv[1]);
  const System system(job);
  const PatchGrid& grid = system.grid();
  const auto division = pair_division(system, grid);
  const auto* const cells = dynamic_cast<const MidpointCells*>(division.get());
  if (cells == nullptr) return 1;
  const test::PairSystem atoms = atoms_of(job);
  test::PatchedSystem<float> patched(atoms, grid.shape(), pair_settings(job.settings), *cells);
  std::vector<double> listed, estimated;
  patched.for_each_compute([&](const auto& work, const auto&) {
    listed.push_back(static_cast<double>(work.listed_pairs()));
  });
  for (const ObjectWork& work : estimate_work(system, grid, atoms.positions, ForceParts::all).pairs)
    estimated.push_back(static_cast<double>(work.counts[of_pair]));
  SpaceBins bins(grid);
  add_work_of_atoms(system, atoms.positions, bins);
  const SpaceSums of_atoms(bins);
  const auto of_one = static_cast<double>(times_of_work(job.settings.precision)[of_pair]);
  for (auto* const pairs : {&listed, &estimated})
    for (std::size_t i = 0; i < pairs->size(); ++i)
      (*pairs)[i] =
          of_one * (*pairs)[i] + of_atoms.in(cells->space(cells->element(static_cast<int>(i))));
  std::printf("{\"cells\":%d,\"estimated\":%.4f,\"listed\":%.4f}\n", cells->computes(),
              fullest_over_average(estimated), fullest_over_average(listed));
  return 0;
}
