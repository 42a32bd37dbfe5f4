// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/places/job_traffic.hpp"

#include <algorithm>
#include <numeric>

#include "ab_initio/places/traffic.hpp"
#include "ab_initio/places/work.hpp"

namespace fg::ab_initio {

JobTraffic job_traffic(const JobFile& file, const std::string& map,
                       const topology::PeLayout& layout) {
  const Job job = read_job(file);
  const Basis basis(job);
  const MatrixTiles tiles(basis.orbitals(), job.division.tile_grain);
  const ObjectPlaces places(basis, tiles, ArrayMaps(map, ObjectPlaces::names), layout);
  const bool moves = job.dynamics.kind == DynamicsKind::car_parrinello;
  const OrderCounts orders = moves ? orders_of_step(job, tiles) : orders_of_iteration(tiles);
  const auto processes = static_cast<std::size_t>(layout.processes);
  JobTraffic traffic{.step = moves ? "step" : "iteration of the search",
                     .phases = traffic_of(orders, job, basis, tiles, places, layout),
                     .cells = "parts of orbitals",
                     .shape = {basis.blocks(), basis.parts()},
                     .process_of_cell = {},
                     .unit_of_work = "operations",
                     .work = std::vector<double>(processes),
                     .objects = std::vector<int>(processes)};
  for (const int pe : places.orbitals()) traffic.process_of_cell.push_back(layout.process_of(pe));
  for (const auto* pes : {&places.orbitals(), &places.pairs(), &places.density(), &places.tiles()})
    for (const int pe : *pes) ++traffic.objects[static_cast<std::size_t>(layout.process_of(pe))];
  const std::vector<double> of_pes = operations_of(orders, job, basis, tiles, places, layout);
  for (std::size_t pe = 0; pe < of_pes.size(); ++pe)
    traffic.work[static_cast<std::size_t>(layout.process_of(static_cast<int>(pe)))] += of_pes[pe];
  const double all = std::accumulate(of_pes.begin(), of_pes.end(), 0.0);
  traffic.imbalance = *std::ranges::max_element(of_pes) * static_cast<double>(of_pes.size()) / all;
  return traffic;
}

}  // namespace fg::ab_initio
