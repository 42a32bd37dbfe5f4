// SPDX-License-Identifier: BSD-3-Clause
//
// Minimises the energy before dynamics: forces from the same objects as the dynamics, vectors of
// all atoms in one place.
#pragma once

#include <functional>

#include "app/evaluate.hpp"

namespace fg::app {

struct MinimisationSummary {
  int evaluations = 0;
  bool converged = false;
  bool stopped = false;      // by `tell`, somewhere on the way: the positions are a trial
  double energy = 0;         // potential [hartree]
  double largest_force = 0;  // [hartree/bohr]
};

/// Moves `state.position` to the lowest point found; keeps the constraints. `tell` is called after
/// each evaluation with what is known so far and ends the search by returning false.
MinimisationSummary minimise(Machinery& machinery, OutputQueue& output, const System& system,
                             State& state,
                             const std::function<bool(const MinimisationSummary&)>& tell);

}  // namespace fg::app
