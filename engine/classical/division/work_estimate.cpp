// SPDX-License-Identifier: BSD-3-Clause
#include "classical/division/work_estimate.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>

#include "classical/job/pair_settings.hpp"

namespace fg::classical {

namespace {

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

/// Terms by the patch of their first atom, which is nearly always that of their compute.
std::vector<std::int64_t> terms_by_patch(const System& system, const PatchGrid& grid,
                                         std::span<const Vec3> positions) {
  std::vector<std::int64_t> terms(static_cast<std::size_t>(grid.size()));
  const auto& fragments = system.fragments();
  for (int f = 0; f < fragments.size(); ++f) {
    const auto atoms = fragments.atoms(f);
    const auto first = positions[static_cast<std::size_t>(atoms[0])];
    auto& here = terms[static_cast<std::size_t>(grid.flat(grid.place(first).patch))];
    BondedTerms::for_each_kind([&]<class Term>() {
      for (const auto atom : atoms)
        here += static_cast<std::int64_t>(system.terms().of<Term>().of_atom(atom).size());
    });
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

/// The pairs of each compute of each patch, by half shells.
std::vector<std::int64_t> pairs_by_runs(const PatchGrid& grid, const PairRuns& runs,
                                        const PairCounts& counts) {
  std::vector<std::int64_t> pairs;
  for (int p = 0; p < grid.size(); ++p) {
    int direction = 0;
    for (int run = 0; run < runs.count(); ++run) {
      std::int64_t& of_run = pairs.emplace_back();
      for (std::size_t i = 0; i < runs.run(run).size(); ++i) of_run += counts.pairs(p, direction++);
    }
  }
  return pairs;
}

/// The cells that have the midpoints of pairs of patches, `apart` patches from each other along an
/// axis; from the cell of the first one. They have an equal share each (particles/midpoints.hpp).
std::vector<int> cells_in_the_middle(int apart, int reach) {
  const int lower = apart >= 0 ? apart / 2 : -((1 - apart) / 2);
  if (reach % 2 == 0) return apart % 2 == 0 ? std::vector{lower} : std::vector{lower, lower + 1};
  return apart % 2 == 0 ? std::vector{lower - 1, lower} : std::vector{lower};
}

/// The same by midpoints.
std::vector<std::int64_t> pairs_by_midpoints(const PatchGrid& grid, const HalfShell& shell,
                                             const PairCounts& counts) {
  std::vector<double> pairs(static_cast<std::size_t>(grid.size()));
  const auto& [reach_x, reach_y, reach_z] = shell.reach();
  for (int i = 0; i < shell.size(); ++i) {
    const auto& [x, y, z] = shell[i];
    const auto xs = cells_in_the_middle(x, reach_x), ys = cells_in_the_middle(y, reach_y),
               zs = cells_in_the_middle(z, reach_z);
    const auto cells = static_cast<double>(xs.size() * ys.size() * zs.size());
    for (int p = 0; p < grid.size(); ++p) {
      const PatchIndex patch = grid.unflat(p);
      if (!grid.reaches(patch, shell[i])) continue;
      // The first patch of an open box has what is below its middle, too.
      const auto cell = [&](std::size_t axis, int offset) {
        return grid.box().periodic ? offset : std::max(offset, -patch[axis]);
      };
      const double share = static_cast<double>(counts.pairs(p, i)) / cells;
      for (const int dx : xs)
        for (const int dy : ys)
          for (const int dz : zs)
            pairs[static_cast<std::size_t>(grid.flat(
                grid.neighbour(patch, {cell(0, dx), cell(1, dy), cell(2, dz)})))] += share;
    }
  }
  std::vector<std::int64_t> whole;
  whole.reserve(pairs.size());
  for (const double of_patch : pairs) whole.push_back(std::llround(of_patch));
  return whole;
}

/// The work of all computes; patches get messages from them on the same steps.
std::vector<ObjectWork> pair_work(const System& system, const PatchGrid& grid,
                                  const PairCounts& counts, std::vector<ObjectWork>& patches) {
  const std::int64_t interval = system.job().dynamics.pair_interval;
  const PairRuns runs = pair_runs(system);
  const std::vector<std::int64_t> pairs = system.job().settings.pairs == PairAssignment::midpoint
                                              ? pairs_by_midpoints(grid, half_shell(system), counts)
                                              : pairs_by_runs(grid, runs, counts);
  std::vector<ObjectWork> work;
  for (ObjectWork& patch : patches) patch.message_interval = interval;
  for (int p = 0; p < grid.size(); ++p) {
    const PatchIndex patch = grid.unflat(p);
    for (int run = 0; run < runs.count(); ++run) {
      std::vector<int> sides{p};
      for (const auto& offset : runs.run(run))
        if (offset != PatchOffset{} && grid.reaches(patch, offset))
          sides.push_back(grid.flat(grid.neighbour(patch, offset)));
      if (run > 0 && sides.size() == 1) {  // at the edge of an open box
        work.emplace_back();
        continue;
      }
      std::int64_t atoms = 0;
      for (const int side : sides) atoms += counts.atoms(side);
      const auto messages = static_cast<std::int64_t>(sides.size());
      work.push_back(
          work_of({{of_message, messages}, {of_pair, pairs[work.size()]}, {of_pair_atom, atoms}},
                  interval));
    }
  }
  for (ObjectWork& pairs : work) pairs.message_interval = interval;
  return work;
}

}  // namespace

PairCounts count_pairs(const System& system, const PatchGrid& grid,
                       std::span<const Vec3> positions) {
  const auto& settings = system.job().settings;
  return {grid, half_shell(system), groups_of(system.fragments(), positions),
          settings.inner_list_cutoff};
}

WorkEstimate estimate_work(const System& system, const PatchGrid& grid,
                           std::span<const Vec3> positions, ForceParts parts) {
  return estimate_work(system, grid, positions, parts, count_pairs(system, grid, positions));
}

WorkEstimate estimate_work(const System& system, const PatchGrid& grid,
                           std::span<const Vec3> positions, ForceParts parts,
                           const PairCounts& counts) {
  const auto& settings = system.job().settings;
  WorkEstimate work;
  for (int p = 0; p < grid.size(); ++p)
    work.patches.push_back(work_of({{of_message, 1}, {of_patch_atom, counts.atoms(p)}}));
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
          {{of_mesh_atom, counts.atoms(p)}, {of_grid_point, points / grid.size()}}, interval);
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
