// SPDX-License-Identifier: BSD-3-Clause
#include "classical/division/work_estimate.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>

#include "classical/division/list_work.hpp"
#include "classical/job/pair_settings.hpp"

namespace fg::classical {

namespace {

/// Terms by the patch of their first atom, which is nearly always that of their compute.
std::vector<std::int64_t> terms_by_patch(const System& system, const PatchGrid& grid,
                                         std::span<const Vec3> positions) {
  std::vector<std::int64_t> terms(static_cast<std::size_t>(grid.size()));
  const auto& fragments = system.fragments();
  for (int f = 0; f < fragments.size(); ++f) {
    const auto first = positions[static_cast<std::size_t>(fragments.atoms(f)[0])];
    terms[static_cast<std::size_t>(grid.flat(grid.place(first).patch))] +=
        terms_of_fragment(system, f);
  }
  return terms;
}

ObjectWork work_of(std::initializer_list<std::pair<WorkKind, std::int64_t>> counts,
                   std::int64_t interval = 1) {
  ObjectWork work{.interval = interval};
  work.counts[of_object] = 1;
  for (const auto& [kind, count] : counts) work.counts[kind] = count;
  return work;
}

/// The work of all computes; patches get messages from them on the same steps.
std::vector<ObjectWork> pair_work(const System& system, const PatchGrid& grid,
                                  const CountedPairs& counts, std::vector<ObjectWork>& patches) {
  const std::int64_t interval = system.job().dynamics.pair_interval;
  for (ObjectWork& patch : patches) patch.message_interval = interval;
  const auto division = pair_division(system, grid);
  // An evaluation has its part of making the list.
  const double list_steps =
      static_cast<double>(system.job().settings.rebuild_interval) / static_cast<double>(interval);
  const std::vector<ListWork> lists =
      work_of_lists(grid, *division, counts, system.job().settings.inner_list_cutoff);
  std::vector<ObjectWork> work(lists.size());
  for (std::size_t i = 0; i < work.size(); ++i) {
    if (!division->exists(division->element(static_cast<int>(i)))) continue;
    const ListWork& list = lists[i];
    work[i] = work_of(
        {{of_pair, list.pairs},
         {of_pair_atom, list.atoms},
         {of_list_patch, list.patches},
         {of_list_row, list.rows},
         {of_midpoint_atom, std::llround(static_cast<double>(list.midpoint_atoms) / list_steps)}},
        interval);
  }
  return work;
}

}  // namespace

WorkEstimate estimate_work(const System& system, const PatchGrid& grid,
                           std::span<const Vec3> positions, ForceParts parts) {
  return estimate_work(system, grid, positions, parts, count_pairs(system, grid, positions));
}

WorkEstimate estimate_work(const System& system, const PatchGrid& grid,
                           std::span<const Vec3> positions, ForceParts parts,
                           const CountedPairs& counts) {
  const auto& settings = system.job().settings;
  WorkEstimate work;
  for (int p = 0; p < grid.size(); ++p)
    work.patches.push_back(
        work_of({{of_message, 1}, {of_patch_atom, counts.by_direction.atoms(p)}}));
  work.pairs = pair_work(system, grid, counts, work.patches);
  work.bonded.resize(work.patches.size());
  work.spreaders.resize(work.patches.size());
  if (parts == ForceParts::all) {
    const auto terms = terms_by_patch(system, grid, positions);
    for (std::size_t p = 0; p < terms.size(); ++p)
      work.bonded[p] = work_of({{of_bonded_term, terms[p]}});
  }
  if (parts == ForceParts::all && settings.electrostatics == Electrostatics::pme) {
    const std::int64_t interval = system.job().dynamics.long_range_interval;
    const std::int64_t points = std::int64_t{settings.mesh.x} * settings.mesh.y * settings.mesh.z;
    const std::int64_t pencils = std::int64_t{settings.pencil_grid[0]} * settings.pencil_grid[1];
    for (int p = 0; p < grid.size(); ++p)
      work.spreaders[static_cast<std::size_t>(p)] = work_of(
          {{of_mesh_atom, counts.by_direction.atoms(p)}, {of_grid_point, points / grid.size()}},
          interval);
    const auto number = static_cast<std::size_t>(pencils);
    work.z_pencils.assign(number, work_of({{of_z_point, points / pencils}}, interval));
    work.other_pencils.assign(number, work_of({{of_line_point, points / pencils}}, interval));
  }
  for (auto* const objects : {&work.patches, &work.spreaders, &work.bonded, &work.pairs,
                              &work.z_pencils, &work.other_pencils})
    for (ObjectWork& object : *objects) object.times = &times_of_work(settings.precision);
  return work;
}

}  // namespace fg::classical
