// SPDX-License-Identifier: BSD-3-Clause
#include "topology/placement/patch_places.hpp"

#include <algorithm>
#include <map>

#include "topology/placement/patch_bisection.hpp"
#include "topology/placement/patch_rows.hpp"

namespace fg::topology {

namespace {

bool a_host_has_processes(std::span<const PePlace> pes) {
  std::map<int, int> process_of_host;
  return std::ranges::any_of(pes, [&](const PePlace& pe) {
    return process_of_host.try_emplace(pe.host, pe.process).first->second != pe.process;
  });
}

}  // namespace

std::vector<PatchPlaces> patch_candidates(const std::array<int, 3>& sides,
                                          std::span<const std::int64_t> loads,
                                          std::span<const PePlace> pes, const Coordinates& mesh) {
  std::vector<PatchPlaces> candidates;
  const auto bisect = [&](std::string_view way, const PatchCuts& cuts) {
    candidates.push_back({way, bisected_patches(sides, loads, pes, mesh, cuts)});
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
  candidates.push_back({"Hilbert order", hilbert_patches(sides, loads, pes, mesh)});
  for (const auto& axes : {std::array{0, 1, 2}, {2, 1, 0}})
    candidates.push_back({"row order", row_patches(sides, loads, pes, mesh, axes)});
  return candidates;
}

}  // namespace fg::topology
