// SPDX-License-Identifier: BSD-3-Clause
//
// What processes will send each other in a run of a job, for the choice of their places on a
// machine.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "classical/places/traffic.hpp"

namespace fg::app {

struct JobTraffic {
  classical::StepTraffic step;
  std::array<int, 3> patches{};
  std::vector<int> process_of_patch;  // z fastest
  std::vector<double> work;           // of each process in a step [s], by the fit of the estimates
  std::vector<int> objects;           // of each process
  double imbalance = 1;               // the work of the fullest PE over the average
};

/// The job file is that of `check_job_file`; `map` as for a run. Throws an InputError for a job
/// that the engine refuses, or of another kind.
JobTraffic job_traffic(const std::string& name, std::span<const std::byte> file,
                       const std::string& map, const topology::PeLayout& layout);

}  // namespace fg::app
