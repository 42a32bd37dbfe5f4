// SPDX-License-Identifier: BSD-3-Clause
#include "forces/mesh/charge_sums.hpp"

#include <cstddef>
#include <map>
#include <utility>

namespace fg {

ChargeSums::ChargeSums(const MeshDivision& division) {
  const int spreaders = division.patches.size();
  const auto all = static_cast<std::size_t>(division.pencils.pencils());
  pencils.reserve(static_cast<std::size_t>(spreaders));
  for (int spreader = 0; spreader < spreaders; ++spreader) {
    const PatchIndex patch = division.patches.unflat(spreader);
    wide.push_back(!fft::has_each_point_once(frame_of(division, patch), division.settings.mesh));
    auto& touched = pencils.emplace_back();
    for (const auto& [i, j] : pencils_of(division, patch))
      touched.push_back(i * division.pencils.grid()[1] + j);
  }
  count(std::vector<int>(pencils.size()), std::vector<int>(all), 0);
}

void ChargeSums::count(std::span<const int> process_of_spreader,
                       std::span<const int> process_of_pencil, int here) {
  awaited.assign(process_of_pencil.size(), 0);
  collected.assign(process_of_pencil.size(), 0);
  struct Group {
    int spreaders = 0;
    bool wide = false;
  };
  std::map<std::pair<int, int>, Group> groups;  // of a pencil, in another process
  for (std::size_t spreader = 0; spreader < pencils.size(); ++spreader) {
    const int from = process_of_spreader[spreader];
    for (const int pencil : pencils[spreader]) {
      if (process_of_pencil[static_cast<std::size_t>(pencil)] == from) {
        ++awaited[static_cast<std::size_t>(pencil)];
        continue;
      }
      Group& group = groups[{pencil, from}];
      ++group.spreaders;
      group.wide |= wide[spreader];
    }
  }
  for (const auto& [place, group] : groups) {
    const auto pencil = static_cast<std::size_t>(place.first);
    const bool added_up = group.wide || group.spreaders >= fewest;
    awaited[pencil] += added_up ? 1 : group.spreaders;
    if (added_up && place.second == here) collected[pencil] = group.spreaders;
  }
}

}  // namespace fg
