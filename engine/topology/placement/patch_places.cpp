// SPDX-License-Identifier: BSD-3-Clause
#include "topology/placement/patch_places.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

#include "base/error.hpp"
#include "topology/placement/patch_bisection.hpp"
#include "topology/placement/patch_rows.hpp"

namespace fg::topology {

namespace {

std::int64_t fullest_pe(std::span<const std::int64_t> loads, std::span<const PePlace> pes,
                        std::span<const int> pe_of) {
  std::vector<std::int64_t> work;
  for (const PePlace& pe : pes) work.push_back(pe.already);
  for (std::size_t patch = 0; patch < loads.size(); ++patch)
    work[static_cast<std::size_t>(pe_of[patch])] += loads[patch];
  std::int64_t fullest = 0;
  for (std::size_t pe = 0; pe < pes.size(); ++pe)
    fullest = std::max(fullest, (work[pe] + pes[pe].share - 1) / pes[pe].share);
  return fullest;
}

bool a_host_has_processes(std::span<const PePlace> pes) {
  std::map<int, int> process_of_host;
  return std::ranges::any_of(pes, [&](const PePlace& pe) {
    return process_of_host.try_emplace(pe.host, pe.process).first->second != pe.process;
  });
}

}  // namespace

std::vector<PatchPlaces> patch_candidates(const PatchShape& shape,
                                          std::span<const std::int64_t> loads,
                                          std::span<const PePlace> pes, const Coordinates& mesh,
                                          std::span<const std::array<int, 3>> offsets,
                                          const std::array<int, 2>& pencils) {
  std::vector<PatchPlaces> candidates;
  const auto add = [&](std::string_view way, std::vector<int> pe_of) {
    std::vector<int> process_of, host_of;
    for (const int pe : pe_of) {
      process_of.push_back(pes[static_cast<std::size_t>(pe)].process);
      host_of.push_back(pes[static_cast<std::size_t>(pe)].host);
    }
    const std::int64_t pairs = patch_process_pairs(shape, offsets, process_of);
    const std::int64_t hops =
        mesh.dimensions() > 1 ? hops_of_pairs(shape, offsets, process_of, host_of, mesh) : 0;
    const std::int64_t mesh_pairs =
        pencils[0] > 0 ? process_pencil_pairs(shape, pencils, process_of) : 0;
    const std::int64_t fullest = fullest_pe(loads, pes, pe_of);
    candidates.push_back({way, std::move(pe_of), pairs, hops, mesh_pairs, fullest});
  };
  const auto bisect = [&](std::string_view way, const PatchCuts& cuts) {
    add(way, bisected_patches(shape.sides, loads, pes, mesh, cuts));
  };
  // Most half shells look up only along the last axis, so that a cut across it costs least.
  constexpr std::array<int, 3> last_axis_first{1, 1, 2};
  const bool to_processes = a_host_has_processes(pes);
  for (const auto& weights : {std::array{1, 1, 1}, last_axis_first})
    for (const bool planes : {false, true}) {
      bisect("bisection", {.planes = planes, .weights = weights});
      if (to_processes)
        bisect("bisection to processes",
               {.planes = planes, .processes_in_space = true, .weights = weights});
    }
  add("Hilbert order", hilbert_patches(shape.sides, loads, pes, mesh));
  for (const auto& axes : {std::array{0, 1, 2}, {2, 1, 0}})
    add("row order", row_patches(shape.sides, loads, pes, mesh, axes));
  return candidates;
}

PatchPlaces best_patch_places(const PatchShape& shape, std::span<const std::int64_t> loads,
                              std::span<const PePlace> pes, const Coordinates& mesh,
                              std::span<const std::array<int, 3>> offsets,
                              const std::array<int, 2>& pencils) {
  std::vector<PatchPlaces> candidates = patch_candidates(shape, loads, pes, mesh, offsets, pencils);
  const std::int64_t least =
      std::ranges::min_element(candidates, {}, &PatchPlaces::fullest)->fullest;
  PatchPlaces* best = nullptr;
  const auto sent = [](const PatchPlaces& places) {
    return places.pairs + places.hops + places.mesh_pairs;
  };
  for (PatchPlaces& candidate : candidates)
    if (candidate.fullest - least <= least / 20 && (!best || sent(candidate) < sent(*best)))
      best = &candidate;
  FG_CHECK(best != nullptr);
  return std::move(*best);
}

}  // namespace fg::topology
