// SPDX-License-Identifier: BSD-3-Clause
//
// How long a step of a job will take on a machine, for the choice of its number of nodes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runs/prediction/event_model.hpp"
#include "runs/prediction/step_graph.hpp"
#include "topology/machines/machine.hpp"
#include "topology/placement/pe_layout.hpp"

namespace fg {

/// Where a job is to run: a process on each of these nodes of the machine.
struct RunPlaces {
  const topology::Machine& machine;
  std::span<const int> node_of_process;
  int pes = 1;  // of each process
  /// What counted operations take on a core of speed 1, by kind, and last what a message to an
  /// object takes [ps]; empty: as fitted.
  std::span<const double> operation_times{};

  topology::PeLayout layout() const {
    return {.processes = static_cast<int>(node_of_process.size()),
            .pes_a_process = pes,
            .hosts = {node_of_process.begin(), node_of_process.end()}};
  }
};

struct StepForecast {
  std::string_view step;  // what is predicted, such as "step"
  StepPrediction prediction{};
  NamesOfWork names_of_work{};
  std::string_view fit;    // where the times of counted work come from
  std::string_view cells;  // objects by which a job is divided, such as "patches"
  std::vector<int> shape;  // their numbers along each axis
  std::string division{};  // more about it, in words
  std::int64_t objects = 0;
  std::int64_t work = 0;       // of a step, of all PEs together, on cores of the machine [ps]
  double imbalance = 1;        // the work of the fullest PE over the average
  std::string busiest_link{};  // empty: nothing is sent
  double timestep = 0;         // [fs]; 0 without dynamics
};

/// Fills in what a step takes by its graph, and its busiest link.
void predict(const StepGraph& graph, const RunPlaces& places, StepForecast& forecast);

}  // namespace fg
