// SPDX-License-Identifier: BSD-3-Clause
#include "app/job_traffic.hpp"

#include "classical/assembly.hpp"
#include "processes/array_maps.hpp"

namespace fg::app {

JobTraffic job_traffic(const std::string& name, std::span<const std::byte> file,
                       const std::string& map, const topology::PeLayout& layout) {
  const JobFile contents(name, file);
  contents.require_kind(std::array{classical_kind});
  const Job job = read_job(contents);
  const classical::System system(job);
  const PatchGrid& grid = system.grid();
  const auto& positions = job.atoms.position;
  const auto work = classical::estimate_work(system, grid, positions, ForceParts::all);
  const classical::FirstPlaces places(work, grid, job.settings,
                                      ArrayMaps(map, classical::names_of_arrays()), layout);
  const auto processes = static_cast<std::size_t>(layout.processes);
  JobTraffic traffic{
      .step = classical::traffic_of_step(system, grid, positions, work, places, layout),
      .patches = grid.shape(),
      .process_of_patch = {},
      .work = std::vector<double>(processes),
      .objects = std::vector<int>(processes),
      .imbalance = places.imbalance()};
  for (const int pe : places.pes_of(classical::patches_array))
    traffic.process_of_patch.push_back(layout.process_of(pe));
  constexpr double picoseconds = 1e-12;
  for (const auto& array : places.arrays())
    for (std::size_t i = 0; i < array.pes.size(); ++i) {
      const auto process = static_cast<std::size_t>(layout.process_of(array.pes[i]));
      traffic.work[process] += picoseconds * static_cast<double>(array.work[i].picoseconds());
      ++traffic.objects[process];
    }
  return traffic;
}

}  // namespace fg::app
