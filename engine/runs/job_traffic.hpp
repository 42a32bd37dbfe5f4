// SPDX-License-Identifier: BSD-3-Clause
//
// What processes will send each other in a run of a job, for the choice of their places on a
// machine.
#pragma once

#include <string_view>
#include <vector>

#include "runs/ways.hpp"

namespace fg {

struct PhaseTraffic {
  std::string_view name;
  std::vector<Way> ways;  // ascending by (from, to), each pair of processes once
};

struct JobTraffic {
  std::string_view step;  // what is counted, such as "step"
  std::vector<PhaseTraffic> phases;
  /// Objects that send most to those near them, such as "patches". Their numbers along each axis
  /// follow, and the process of each, the last axis fastest.
  std::string_view cells;
  std::vector<int> shape;
  std::vector<int> process_of_cell;
  std::string_view unit_of_work;  // "s" or "operations"
  std::vector<double> work;       // of each process in a step
  std::vector<int> objects;       // of each process
  double imbalance = 1;           // the work of the fullest PE over the average
};

}  // namespace fg
