// SPDX-License-Identifier: BSD-3-Clause
//
// What a search knows besides the vectors of the orbitals and those of its memory. With all of
// these it continues to the same bits. Units: hartree, seconds.
#pragma once

#include <cstdint>
#include <vector>

#include "ab_initio/orbitals/search_memory.hpp"
#include "ab_initio/results/ground_state.hpp"

namespace fg::ab_initio {

struct SearchState {
  std::vector<Iteration> history;
  bool converged = false;
  int pairs = 0;             // of steps and changes of the gradient that count
  StepChange step_change{};  // their products
  double last_length = 0, last_steepness = 0;

  std::int64_t iteration() const noexcept { return history.empty() ? 0 : history.back().number; }
};

}  // namespace fg::ab_initio
