// SPDX-License-Identifier: BSD-3-Clause
#include "app/job_prediction.hpp"

#include <cmath>

#include "base/units.hpp"
#include "classical/places/placed_job.hpp"

namespace fg::app {

namespace {

std::string name_of_link(const topology::Machine& machine, int number) {
  if (number < machine.links()) return machine.link_name(number);
  return "the entry of node " + std::to_string(number - machine.links());
}

}  // namespace

JobPrediction job_prediction(const std::string& name, std::span<const std::byte> file,
                             const std::string& map, const topology::Machine& machine,
                             std::span<const int> node_of_process, int pes) {
  const JobFile contents(name, file);
  contents.require_kind(std::array{classical_kind});
  const topology::PeLayout layout{.processes = static_cast<int>(node_of_process.size()),
                                  .pes_a_process = pes,
                                  .hosts = {node_of_process.begin(), node_of_process.end()}};
  const classical::PlacedJob placed(contents, map, layout);
  const classical::FirstPlaces& places = placed.places;
  const double speed = machine.processor().core_speed;
  JobPrediction found{.step = classical::run_events(
                          classical::step_graph(placed.system, placed.grid(), placed.positions,
                                                placed.work, places, layout, speed),
                          layout, machine, node_of_process),
                      .patches = placed.grid().shape(),
                      .pair_computes = placed.job.settings.pair_computes,
                      .work = std::llround(static_cast<double>(places.whole()) / speed),
                      .imbalance = places.imbalance(),
                      .timestep = placed.job.dynamics.timestep * units::time_in_fs};
  for (const auto& array : places.arrays())
    for (const auto& object : array.work) found.objects += object.counts[of_object];
  if (found.step.messages > 0 && found.step.busiest_link >= 0 && found.step.busy_share > 0)
    found.busiest_link = name_of_link(machine, found.step.busiest_link);
  return found;
}

}  // namespace fg::app
