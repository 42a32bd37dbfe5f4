// SPDX-License-Identifier: BSD-3-Clause
#include "forces/mesh/charge_sums.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace fg {

ChargeSums::ChargeSums(const MeshDivision& division) {
  const int spreaders = division.patches.size();
  const auto all = static_cast<std::size_t>(division.pencils.pencils());
  pencils.reserve(static_cast<std::size_t>(spreaders));
  for (int spreader = 0; spreader < spreaders; ++spreader) {
    auto& touched = pencils.emplace_back();
    for (const auto& [i, j] : pencils_of(division, division.patches.unflat(spreader)))
      touched.push_back(i * division.pencils.grid()[1] + j);
  }
  count(std::vector<int>(pencils.size()), std::vector<int>(all), 0);
}

void ChargeSums::count(std::span<const int> process_of_spreader,
                       std::span<const int> process_of_pencil, int here) {
  awaited.assign(process_of_pencil.size(), 0);
  collected.assign(process_of_pencil.size(), 0);
  std::vector<std::pair<int, int>> sums;  // pencil, process
  for (std::size_t spreader = 0; spreader < pencils.size(); ++spreader) {
    const int from = process_of_spreader[spreader];
    for (const int pencil : pencils[spreader]) {
      const auto number = static_cast<std::size_t>(pencil);
      if (process_of_pencil[number] == from) {
        ++awaited[number];
      } else {
        collected[number] += from == here;
        sums.emplace_back(pencil, from);
      }
    }
  }
  std::ranges::sort(sums);
  sums.erase(std::unique(sums.begin(), sums.end()), sums.end());
  for (const auto& [pencil, process] : sums) ++awaited[static_cast<std::size_t>(pencil)];
}

}  // namespace fg
