// SPDX-License-Identifier: BSD-3-Clause
//
// How long a step of a job will take on a machine, for the choice of its number of nodes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "classical/prediction/event_model.hpp"

namespace fg::app {

struct JobPrediction {
  classical::StepPrediction step;
  std::array<int, 3> patches{};
  int pair_computes = 0;  // of each patch
  std::int64_t objects = 0;
  std::int64_t work = 0;       // of a step, of all PEs together, on cores of the machine [ps]
  double imbalance = 1;        // the work of the fullest PE over the average
  std::string busiest_link{};  // empty: nothing is sent
  double timestep = 0;         // [fs]
};

/// Processes with `pes` PEs each are on these nodes of the machine. The job file is that of
/// `check_job_file`; `map` as for a run. Throws an InputError for a job that the engine refuses, or
/// of another kind.
JobPrediction job_prediction(const std::string& name, std::span<const std::byte> file,
                             const std::string& map, const topology::Machine& machine,
                             std::span<const int> node_of_process, int pes);

}  // namespace fg::app
