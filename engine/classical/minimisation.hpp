// SPDX-License-Identifier: BSD-3-Clause
//
// Minimises the energy before dynamics. The same objects as in dynamics compute the forces. The
// vectors of all atoms are in one place. The start is first moved onto the constraints. A soft
// repulsion separates overlapping atoms, until the exact energy can be computed.
#pragma once

#include <functional>

#include "classical/evaluate.hpp"

namespace fg::classical {

struct MinimisationSummary {
  int evaluations = 0;
  bool converged = false;
  bool stopped = false;      // by `tell`, before the end: the positions are those of a trial
  double energy = 0;         // potential [hartree]
  double largest_force = 0;  // [hartree/bohr]
  int parting_steps = 0;     // steps taken to separate atoms that overlapped at the start
};

/// Moves `state.position` to the lowest point found, and satisfies the constraints. Calls `tell`
/// after each evaluation with the present results; the search ends if it returns false.
/// Throws NumericsError, naming two atoms, if overlapping atoms cannot be separated.
MinimisationSummary minimise(Machinery& machinery, OutputQueue& output, const System& system,
                             State& state,
                             const std::function<bool(const MinimisationSummary&)>& tell);

}  // namespace fg::classical
