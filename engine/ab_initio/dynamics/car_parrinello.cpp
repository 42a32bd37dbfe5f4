// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/dynamics/car_parrinello.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "ab_initio/job/baths.hpp"
#include "ab_initio/job/dynamics_advice.hpp"
#include "ab_initio/job/job_dynamics.hpp"
#include "ab_initio/leader/leader.hpp"
#include "ab_initio/leader/setups.hpp"

namespace fg::ab_initio {

bool CarParrinello::is_free() const noexcept {
  return settings().orthonormality == Orthonormality::free;
}

void CarParrinello::make_bath() {
  bath_ = make_electron_bath(settings(), setup().job->positions.size());
}

Task CarParrinello::begin_orbitals() {
  velocity_scale_ = 1;
  make_bath();
  co_await give_advice();
  co_await leader().rest();
  if (is_free()) co_await find_free_force(true);
}

Task CarParrinello::restore_orbitals(DynamicsState state) {
  step().fictitious_kinetic = state.fictitious_kinetic;
  step().was_reset = state.was_reset;
  velocity_scale_ = state.velocity_scale;
  make_bath();
  if (bath_) bath_->restore(state.electron_bath);
  co_await leader().resume(0);
  const bool orthonormal = state.step == 0 || state.was_reset;
  if (is_free() && !orthonormal) co_await leader().free_drift(step().number, 0, 1);
  co_await leader().evaluate(false, -1);
  if (ions_move()) co_await leader().find_forces(stress());
  if (is_free()) co_await find_free_force(orthonormal);
}

Task CarParrinello::move() {
  if (bath_) act_of_bath();
  const double scale = std::exchange(velocity_scale_, 1);
  if (is_free())
    co_await leader().free_drift(step().number, settings().timestep, scale);
  else
    co_await leader().drift(step().number, settings().timestep, scale);
  step().deviation = leader().motion().deviation;
  step().iterations = leader().motion().iterations;
  move_ions();
  co_await leader().evaluate(false, -1);
  co_await kick_ions();
  if (is_free()) co_await find_free_force(false);
  co_await find_kinetic_energy();
  if (bath_) act_of_bath();
}

Task CarParrinello::end() {
  return leader().gradient();
}

/// Makes the other half of the kick, and finds the kinetic energy after it.
Task CarParrinello::find_kinetic_energy() {
  co_await leader().kick(settings().timestep);
  step().fictitious_kinetic = leader().orbitals().fictitious;
  step().given_back = 0;
  step().was_reset = is_free() && step().deviation > settings().reset_above;
  if (step().was_reset) {
    co_await leader().reset(step().number);
    give_back(leader().orbitals().fictitious);
    co_await find_free_force(true);
  }
  if (is_free() || (!bath_ && !is_due(settings(), step().number))) co_return;
  co_await leader().project(step().number);
  step().fictitious_kinetic -= leader().motion().kinetic;
}

/// Gives energy back to velocities whose kinetic energy after a reset is only `left`.
void CarParrinello::give_back(double left) {
  if (!(left > 0)) {
    step().fictitious_kinetic = left;
    return;
  }
  step().given_back = step().fictitious_kinetic - left;
  velocity_scale_ *= std::sqrt(step().fictitious_kinetic / left);
}

/// The bath acts for half a time step.
void CarParrinello::act_of_bath() {
  const double scale = bath_->advance(step().fictitious_kinetic, settings().timestep / 2);
  velocity_scale_ *= scale;
  step().fictitious_kinetic *= scale * scale;
}

Task CarParrinello::find_free_force(bool orthonormal) {
  return leader().free_force(step().number, orthonormal);
}

/// Gives advice by what is known of the orbitals now. Throws NumericsError if the time step is too
/// long for them.
Task CarParrinello::give_advice() {
  co_await leader().find_eigenvalues();
  KnownOrbitals known = known_orbitals(*setup().job);
  const bool warned = !advise(settings(), known, {}).warnings.empty();
  known.eigenvalues = leader().eigenvalues();
  std::sort(known.eigenvalues.begin(), known.eigenvalues.end());
  DynamicsAdvice advice = advise(settings(), known, {});
  if (warned) advice.warnings.clear();
  if (setup().gap) {
    DynamicsAdvice more = advise_of_gap(settings(), known, *setup().gap, setup().job->masses);
    std::move(more.lines.begin(), more.lines.end(), std::back_inserter(advice.lines));
    std::move(more.warnings.begin(), more.warnings.end(), std::back_inserter(advice.warnings));
  }
  setup().progress->push(std::move(advice));
  check_estimated_timestep(settings(), known);
}

void CarParrinello::add_to(DynamicsState& state) const {
  if (bath_) state.electron_bath = bath_->state();
  state.fictitious_kinetic = step().fictitious_kinetic;
  state.velocity_scale = velocity_scale_;
  state.was_reset = step().was_reset;
}

void CarParrinello::add_to(DynamicsStep& step) const {
  if (bath_) step.bath += bath_->energy();
}

}  // namespace fg::ab_initio
