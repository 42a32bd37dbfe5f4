// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/dynamics/born_oppenheimer.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "ab_initio/leader/leader.hpp"
#include "ab_initio/leader/minimiser.hpp"
#include "ab_initio/leader/setups.hpp"
#include "ab_initio/results/dynamics_limits.hpp"
#include "base/error.hpp"
#include "base/shown.hpp"
#include "electrons/orbitals/predictor.hpp"

namespace fg::ab_initio {

Task BornOppenheimer::begin_orbitals() {
  remembered_ = 0;
  return remember();
}

Task BornOppenheimer::restore_orbitals(DynamicsState state) {
  remembered_ = state.past;
  co_await leader().resume(state.past);
  co_await leader().evaluate(false, -1);
  co_await leader().gradient();
  co_await leader().find_forces(stress());
}

Task BornOppenheimer::move() {
  move_ions();
  co_await search().find_from(prediction());
  if (!search().converged())
    throw NumericsError({.what = "the orbitals did not converge",
                         .where = name_of_step(step().number),
                         .value = shown(leader().residual()) + " hartree",
                         .limit = shown(setup().job->ground_state.tolerance) + " hartree",
                         .hint = "use a shorter time step, or allow more iterations"});
  co_await kick_ions();
  co_await remember();
}

Task BornOppenheimer::end() {
  co_return;
}

std::vector<double> BornOppenheimer::prediction() const {
  return electrons::predictor_coefficients(
      electrons::possible_predictor_order(settings().predictor_order, remembered_));
}

Task BornOppenheimer::remember() {
  ++remembered_;
  return leader().remember();
}

void BornOppenheimer::add_to(DynamicsState& state) const {
  state.past = std::min(remembered_, settings().predictor_order + 2);
}

void BornOppenheimer::add_to(DynamicsStep& step) const {
  step.iterations = static_cast<int>(search().history().back().number);
  step.residual = leader().residual();
}

}  // namespace fg::ab_initio
