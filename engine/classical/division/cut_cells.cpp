// SPDX-License-Identifier: BSD-3-Clause
#include "classical/division/cut_cells.hpp"

#include <cstddef>
#include <vector>

#include "classical/division/counted_groups.hpp"
#include "classical/division/work_estimate.hpp"
#include "particles/assignment/cut_space.hpp"
#include "particles/assignment/midpoint_counts.hpp"

namespace fg::classical {

namespace {

double time_of(const Job& job, WorkKind kind) {
  return static_cast<double>(times_of_work(job.settings.precision)[kind]);
}

}  // namespace

double time_of_a_pair(const Job& job) {
  constexpr double pairs_in_a_row = 120;  // in DHFR, cut into 512 cells
  return time_of(job, of_pair) + time_of(job, of_list_row) / pairs_in_a_row;
}

void add_work_of_atoms(const System& system, std::span<const Vec3> positions, SpaceBins& work) {
  const Job& job = system.job();
  const bool mesh = job.settings.electrostatics == Electrostatics::pme;
  const double of_atom =
      time_of(job, of_patch_atom) +
      (mesh ? time_of(job, of_mesh_atom) / job.dynamics.long_range_interval : 0.0);
  const double of_term = time_of(job, of_bonded_term);
  const FragmentTable& fragments = system.fragments();
  for (int f = 0; f < fragments.size(); ++f) {
    const auto atoms = fragments.atoms(f);
    work.add(in_patches(system.grid(), positions[static_cast<std::size_t>(atoms[0])]),
             of_atom * static_cast<double>(atoms.size()) +
                 of_term * static_cast<double>(terms_of_fragment(system, f)));
  }
}

CellCut cut_cells(const Job& job, const std::array<int, 3>& shape) {
  check_number_of_cells(job, shape);
  const System system(job);
  const PatchGrid& grid = system.grid();
  const std::vector<Vec3> positions = start_positions(job);
  SpaceBins work(grid);
  add_work_of_atoms(system, positions, work);
  add_midpoints(system, grid, positions, time_of_a_pair(job) / job.dynamics.pair_interval, work);
  return cut_space(SpaceSums(work), shape);
}

}  // namespace fg::classical
