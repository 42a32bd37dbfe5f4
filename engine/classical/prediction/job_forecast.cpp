// SPDX-License-Identifier: BSD-3-Clause
#include "classical/prediction/job_forecast.hpp"

#include <cmath>
#include <string>

#include "base/error.hpp"
#include "base/units.hpp"
#include "classical/places/placed_job.hpp"
#include "classical/prediction/graph_of_step.hpp"
#include "forces/costs/work_times.hpp"

namespace fg::classical {

namespace {

/// What has the pairs of the patches, in words.
std::string pairs_in_words(const Job& job) {
  if (job.cells) {
    const auto [x, y, z] = job.cells->shape;
    return std::to_string(x) + " x " + std::to_string(y) + " x " + std::to_string(z) +
           " midpoint cells";
  }
  if (job.settings.pairs == PairAssignment::midpoint) return "a midpoint cell each";
  const int computes = job.settings.pair_computes;
  return std::to_string(computes) + (computes == 1 ? " pair compute each" : " pair computes each");
}

}  // namespace

StepForecast job_forecast(const JobFile& file, const std::string& map, const RunPlaces& places) {
  if (!places.operation_times.empty())
    throw InputError({.what = "times of operations are for ab initio jobs only",
                      .hint = "leave them out for a classical one"});
  const topology::PeLayout layout = places.layout();
  const PlacedJob placed(file, map, layout);
  const FirstPlaces& first = placed.places;
  const double speed = places.machine.processor().core_speed;
  const auto [x, y, z] = placed.grid().shape();
  StepForecast found{.step = "step",
                     .names_of_work = names_of_work,
                     .fit = work_fit,
                     .cells = "patches",
                     .shape = {x, y, z},
                     .division = pairs_in_words(placed.job),
                     .work = std::llround(static_cast<double>(first.whole()) / speed),
                     .imbalance = first.imbalance(),
                     .timestep = placed.job.dynamics.timestep * units::time_in_fs};
  for (const auto& array : first.arrays())
    for (const auto& object : array.work) found.objects += object.counts[of_object];
  predict(
      graph_of_step(placed.system, placed.grid(), placed.atoms, placed.work, first, layout, speed),
      places, found);
  return found;
}

}  // namespace fg::classical
