// SPDX-License-Identifier: BSD-3-Clause
#include "runs/prediction/step_forecast.hpp"

namespace fg {

namespace {

std::string name_of_link(const topology::Machine& machine, int number) {
  if (number < machine.links()) return machine.link_name(number);
  return "the entry of node " + std::to_string(number - machine.links());
}

}  // namespace

void predict(const StepGraph& graph, const RunPlaces& places, StepForecast& forecast) {
  StepPrediction& found = forecast.prediction;
  found = run_events(graph, places.layout(), places.machine, places.node_of_process);
  if (found.messages > 0 && found.busiest_link >= 0 && found.busy_share > 0)
    forecast.busiest_link = name_of_link(places.machine, found.busiest_link);
}

}  // namespace fg
