// SPDX-License-Identifier: BSD-3-Clause
//
// How even the work of the midpoint cells of a job is, as JSON: by the estimate that cuts space,
// and by the pair lists that computes make of the first positions. Each has its pairs, and the
// atoms and bonded terms in its space. Usage: cell_work JOB
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

#include "classical/division/cut_cells.hpp"
#include "classical/division/work_estimate.hpp"
#include "classical/job/pair_settings.hpp"
#include "particles/assignment/midpoint_cells.hpp"
#include "support/classical/lists_of_job.hpp"

namespace {

using namespace fg;
using namespace fg::classical;

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
  const test::PairSystem atoms = test::atoms_of(job);
  auto patched = test::lists_of(job, atoms);
  std::vector<double> listed, estimated;
  patched.for_each_compute([&](const auto& work, const auto&) {
    listed.push_back(static_cast<double>(work.listed_pairs()));
  });
  for (const ObjectWork& work : estimate_work(system, grid, atoms.positions, ForceParts::all).pairs)
    estimated.push_back(static_cast<double>(work.counts[of_pair]));
  SpaceBins bins(grid);
  add_work_of_atoms(system, atoms.positions, bins);
  const SpaceSums of_atoms(bins);
  const double of_one = time_of_a_pair(job);
  for (auto* const pairs : {&listed, &estimated})
    for (std::size_t i = 0; i < pairs->size(); ++i)
      (*pairs)[i] =
          of_one * (*pairs)[i] + of_atoms.in(cells->space(cells->element(static_cast<int>(i))));
  std::printf("{\"cells\":%d,\"estimated\":%.4f,\"listed\":%.4f}\n", cells->computes(),
              fullest_over_average(estimated), fullest_over_average(listed));
  return 0;
}
