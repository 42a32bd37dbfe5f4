// SPDX-License-Identifier: BSD-3-Clause
#include "classical/prediction/job_forecast.hpp"

#include <cmath>

#include "base/error.hpp"
#include "base/units.hpp"
#include "classical/places/placed_job.hpp"
#include "classical/prediction/graph_of_step.hpp"
#include "forces/costs/work_times.hpp"

namespace fg::classical {

StepForecast job_forecast(const JobFile& file, const std::string& map, const RunPlaces& places) {
  if (!places.operation_times.empty())
    throw InputError({.what = "times of operations are for ab initio jobs only",
                      .hint = "leave them out for a classical one"});
  const topology::PeLayout layout = places.layout();
  const PlacedJob placed(file, map, layout);
  const FirstPlaces& first = placed.places;
  const double speed = places.machine.processor().core_speed;
  const auto [x, y, z] = placed.grid().shape();
  StepForecast found{
      .step = "step",
      .names_of_work = names_of_work,
      .fit = work_fit,
      .cells = "patches",
      .shape = {x, y, z},
      .division = std::to_string(placed.job.settings.pair_computes) + " pair computes each",
      .work = std::llround(static_cast<double>(first.whole()) / speed),
      .imbalance = first.imbalance(),
      .timestep = placed.job.dynamics.timestep * units::time_in_fs};
  for (const auto& array : first.arrays())
    for (const auto& object : array.work) found.objects += object.counts[of_object];
  predict(graph_of_step(placed.system, placed.grid(), placed.positions, placed.work, first, layout,
                        speed),
          places, found);
  return found;
}

}  // namespace fg::classical
