// SPDX-License-Identifier: BSD-3-Clause
#include "classical/step_estimate.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "base/error.hpp"
#include "base/shown.hpp"
#include "base/units.hpp"
#include "classical/division/atom_patches.hpp"
#include "classical/division/mesh_division.hpp"
#include "classical/job/pair_settings.hpp"
#include "processes/array_maps.hpp"

namespace fg::classical {

namespace {

constexpr double ps_in_ms = 1e9;

/// The part to which each kind of work belongs, as an index of parts_of_step.
constexpr std::array<std::size_t, kinds_of_work.size()> part_of_kind{5, 5, 0, 0, 4, 1, 1,
                                                                     3, 2, 2, 0, 0, 0};

std::int64_t sum_of(const std::vector<ObjectWork>& objects, WorkKind kind) {
  std::int64_t sum = 0;
  for (const ObjectWork& work : objects) sum += work.counts[kind];
  return sum;
}

/// The messages in one direction. They are between the patch of a term's first atom, where nearly
/// always its compute is, and the patches of all its atoms.
std::int64_t bonded_messages(const System& system, const PatchGrid& grid,
                             std::span<const Vec3> positions) {
  const std::vector<int> patches = patches_of_atoms(system, grid, positions);
  const auto patch_of = [&](std::int32_t atom) { return patches[static_cast<std::size_t>(atom)]; };
  std::vector<bool> to_itself(static_cast<std::size_t>(grid.size()));
  std::vector<std::int64_t> ways;  // between patches; there are few beside the terms
  BondedTerms::for_each_kind([&]<class Term>() {
    const auto& terms = system.terms().of<Term>();
    const auto& table = system.job().terms.of<Term>();
    for (int atom = 0; atom < system.atoms(); ++atom)
      for (const auto term : terms.of_atom(atom)) {
        const int home = patch_of(atom);
        to_itself[static_cast<std::size_t>(home)] = true;
        for (const auto other : terms.atoms(table, term, atom))
          if (const int there = patch_of(other); there != home)
            ways.push_back(std::int64_t{home} * grid.size() + there);
      }
  });
  std::ranges::sort(ways);
  return std::ranges::count(to_itself, true) +
         (std::unique(ways.begin(), ways.end()) - ways.begin());
}

/// The messages in one direction, in one round of the mesh.
std::int64_t mesh_messages(const MeshDivision& division) {
  const auto& [x, y] = division.pencils.grid();
  // Pencils exchange their data with the others of a row.
  std::int64_t messages = division.patches.size() + std::int64_t{x} * y * (x - 1 + y - 1);
  for (int p = 0; p < division.patches.size(); ++p)
    messages += static_cast<std::int64_t>(pencils_of(division, division.patches.unflat(p)).size());
  return messages;
}

}  // namespace

StepEstimate estimate_step(const System& system, const PatchGrid& grid,
                           std::span<const Vec3> positions, const WorkEstimate& work,
                           const FirstPlaces& places) {
  StepEstimate step{.whole = places.whole(), .fullest = places.fullest()};
  for (const ObjectWork& patch : work.patches)
    step.most_atoms = std::max(step.most_atoms, patch.counts[of_patch_atom]);
  for (const auto& array : places.arrays())
    for (const ObjectWork& object : array.work) {
      step.objects += object.counts[of_object];
      for (std::size_t kind = 0; kind < kinds_of_work.size(); ++kind)
        step.picoseconds[part_of_kind[kind]] +=
            object.counts[kind] * (*object.times)[kind] / object.interval_of(kind);
    }
  // On one PE: positions come once for all computes, which are started then, and go as one sum.
  step.messages =
      static_cast<double>(2 * sum_of(work.patches, of_message) + sum_of(work.pairs, of_object)) /
          static_cast<double>(system.job().dynamics.pair_interval) +
      2.0 * static_cast<double>(bonded_messages(system, grid, positions));
  if (!work.z_pencils.empty())
    step.messages += 2.0 * static_cast<double>(mesh_messages(mesh_division(system, grid))) /
                     static_cast<double>(work.z_pencils.front().interval);
  return step;
}

std::string work_in_words(const StepEstimate& step) {
  std::string text = shown(static_cast<double>(step.whole) / ps_in_ms, 3) + " core-ms:";
  const char* comma = " ";
  for (std::size_t i = 0; i < parts_of_step.size(); ++i) {
    if (step.picoseconds[i] == 0) continue;
    const double share = static_cast<double>(step.picoseconds[i]) / static_cast<double>(step.whole);
    text += comma + std::string(parts_of_step[i]) + " " + shown(100 * share, 3) + " %";
    comma = "; ";
  }
  return text + "; in " + std::to_string(step.objects) + " objects, " +
         std::to_string(std::llround(step.messages)) + " messages";
}

std::string pace_in_words(const StepEstimate& step, double timestep, int pes) {
  const double milliseconds = static_cast<double>(step.fullest) / ps_in_ms;
  std::string text = shown(milliseconds, 3) + " ms a step";
  if (timestep > 0)
    text += ", " + shown(timestep * units::time_in_fs * 86400e-3 / milliseconds, 3) + " ns/day";
  text += " on " + std::to_string(pes) + (pes == 1 ? " PE" : " PEs");
  return text + " if none waits, by " + std::string(work_fit);
}

Division division_of(const Job& job) {
  const JobSettings& settings = job.settings;
  return {.patches = settings.patch_grid,
          .reach = settings.reach,
          .pair_computes = settings.pair_computes,
          .pencils = {settings.pencil_grid[0], settings.pencil_grid[1]},
          .inner_list_cutoff = settings.inner_list_cutoff};
}

std::vector<std::optional<StepEstimate>> estimate_steps(Job job,
                                                        std::span<const Division> divisions,
                                                        int pes) {
  const ArrayMaps maps(cost_map, names_of_arrays());
  const std::vector<Vec3> positions = start_positions(job);
  auto& settings = job.settings;
  std::vector<std::optional<StepEstimate>> steps;
  // Divisions with the same patches follow each other, and share what depends on these.
  std::optional<System> system;
  std::optional<CountedPairs> pairs;
  for (const Division& division : divisions) {
    const bool same_patches =
        system && settings.patch_grid == division.patches && settings.reach == division.reach;
    const bool same_radius = settings.inner_list_cutoff == division.inner_list_cutoff;
    settings.patch_grid = division.patches;
    settings.reach = division.reach;
    settings.pair_computes = division.pair_computes;
    std::ranges::copy(division.pencils, settings.pencil_grid.begin());
    settings.inner_list_cutoff = division.inner_list_cutoff;
    try {
      if (!same_patches) system.emplace(job);
      const PatchGrid& grid = system->grid();
      if (!pairs || !same_patches || !same_radius)
        pairs.emplace(count_pairs(*system, grid, positions));
      const WorkEstimate work = estimate_work(*system, grid, positions, ForceParts::all, *pairs);
      const FirstPlaces places(work, grid, *pair_division(*system, grid), settings, maps,
                               topology::one_process(pes));
      steps.emplace_back(estimate_step(*system, grid, positions, work, places));
    } catch (const InputError&) {
      system.reset();
      steps.emplace_back();
    }
  }
  return steps;
}

}  // namespace fg::classical
