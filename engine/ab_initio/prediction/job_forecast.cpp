// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/prediction/job_forecast.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ab_initio/places/placed_job.hpp"
#include "ab_initio/prediction/graph_of_orders.hpp"
#include "base/error.hpp"
#include "base/units.hpp"
#include "runtime/simulated/operation_times.hpp"

namespace fg::ab_initio {

namespace {

constexpr std::string_view given_times = "times of operations that were given";

TimesOfWork times_on(const RunPlaces& places) {
  TimesOfWork times{operation_picoseconds, message_picoseconds};
  if (const auto given = places.operation_times; !given.empty()) {
    if (given.size() != times.operation.size() + 1)
      throw InputError({.what = "six times of operations are needed",
                        .value = std::to_string(given.size()),
                        .limit = "those of transforms, of products, of all else, of transforms of "
                                 "the density, for ions and of a message"});
    std::ranges::copy(given.first(times.operation.size()), times.operation.begin());
    times.message = given.back();
  }
  const double speed = places.machine.processor().core_speed;
  for (double& one : times.operation) one /= speed;
  times.message /= speed;
  return times;
}

}  // namespace

StepForecast job_forecast(const JobFile& file, const std::string& map, const RunPlaces& places) {
  const topology::PeLayout layout = places.layout();
  const PlacedJob placed(file, map, layout);
  const Job& job = placed.job;
  StepForecast found{.step = placed.step(),
                     .names_of_work = names_of_work,
                     .fit = places.operation_times.empty() ? operation_fit : given_times,
                     .cells = "parts of orbitals",
                     .shape = {placed.basis.blocks(), placed.basis.parts()},
                     .timestep = placed.moves() ? job.dynamics.timestep * units::time_in_fs : 0};
  const StepGraph graph = graph_of_orders(placed.orders(), job, placed.basis, placed.tiles,
                                          placed.places, layout, times_on(places));
  std::vector<std::int64_t> work(static_cast<std::size_t>(layout.pes()));
  for (const StepTask& task : graph.tasks) work[static_cast<std::size_t>(task.pe)] += task.work;
  for (const StepTarget& target : graph.targets)
    work[static_cast<std::size_t>(graph.tasks[target.task].pe)] += target.work;
  found.work = std::reduce(work.begin(), work.end());
  found.imbalance = static_cast<double>(std::ranges::max(work)) * static_cast<double>(work.size()) /
                    static_cast<double>(found.work);
  for (const auto* pes : placed.places.arrays())
    found.objects += static_cast<std::int64_t>(pes->size());
  predict(graph, places, found);
  return found;
}

}  // namespace fg::ab_initio
