// SPDX-License-Identifier: BSD-3-Clause
#include "classical/job_traffic.hpp"

#include "classical/places/placed_job.hpp"
#include "classical/places/traffic.hpp"

namespace fg::classical {

JobTraffic job_traffic(const JobFile& file, const std::string& map,
                       const topology::PeLayout& layout) {
  const PlacedJob job(file, map, layout);
  const PatchGrid& grid = job.grid();
  const FirstPlaces& places = job.places;
  const auto processes = static_cast<std::size_t>(layout.processes);
  JobTraffic traffic{.step = "step",
                     .phases = {},
                     .cells = "patches",
                     .shape = {grid.shape().begin(), grid.shape().end()},
                     .process_of_cell = {},
                     .unit_of_work = "s",
                     .work = std::vector<double>(processes),
                     .objects = std::vector<int>(processes),
                     .imbalance = places.imbalance()};
  StepTraffic step = traffic_of_step(job.system, grid, job.atoms, job.work, places, layout);
  for (std::size_t phase = 0; phase < step.size(); ++phase)
    traffic.phases.push_back({phases_of_traffic[phase], std::move(step[phase])});
  for (const int pe : places.pes_of(patches_array))
    traffic.process_of_cell.push_back(layout.process_of(pe));
  constexpr double picoseconds = 1e-12;
  for (const auto& array : places.arrays())
    for (std::size_t i = 0; i < array.pes.size(); ++i) {
      const auto process = static_cast<std::size_t>(layout.process_of(array.pes[i]));
      traffic.work[process] += picoseconds * static_cast<double>(array.work[i].picoseconds());
      ++traffic.objects[process];
    }
  return traffic;
}

}  // namespace fg::classical
