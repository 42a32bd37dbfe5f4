// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/places/job_traffic.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "ab_initio/places/placed_job.hpp"
#include "ab_initio/places/traffic.hpp"

namespace fg::ab_initio {

JobTraffic job_traffic(const JobFile& file, const std::string& map,
                       const topology::PeLayout& layout) {
  const PlacedJob placed(file, map, layout);
  const ObjectPlaces& places = placed.places;
  const auto processes = static_cast<std::size_t>(layout.processes);
  OrderTraffic counted =
      traffic_of(placed.orders(), placed.job, placed.basis, placed.tiles, places, layout);
  JobTraffic traffic{.step = placed.step(),
                     .phases = std::move(counted.phases),
                     .cells = "parts of orbitals",
                     .shape = {placed.basis.blocks(), placed.basis.parts()},
                     .process_of_cell = {},
                     .unit_of_work = "operations",
                     .work = std::vector<double>(processes),
                     .objects = std::vector<int>(processes)};
  for (const int pe : places.orbitals()) traffic.process_of_cell.push_back(layout.process_of(pe));
  for (const auto* pes : places.arrays())
    for (const int pe : *pes) ++traffic.objects[static_cast<std::size_t>(layout.process_of(pe))];
  const std::vector<double>& of_pes = counted.operations;
  for (std::size_t pe = 0; pe < of_pes.size(); ++pe)
    traffic.work[static_cast<std::size_t>(layout.process_of(static_cast<int>(pe)))] += of_pes[pe];
  const double all = std::accumulate(of_pes.begin(), of_pes.end(), 0.0);
  traffic.imbalance = *std::ranges::max_element(of_pes) * static_cast<double>(of_pes.size()) / all;
  return traffic;
}

}  // namespace fg::ab_initio
