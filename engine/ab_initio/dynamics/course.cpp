// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/dynamics/course.hpp"

#include <array>
#include <utility>

#include "ab_initio/leader/setups.hpp"

namespace fg::ab_initio {

Course::Course(Leader& leader, std::shared_ptr<const RunSetup> setup)
    : leader_(leader),
      setup_(std::move(setup)),
      minimiser_(leader, setup_),
      dynamics_(make_dynamics(leader, minimiser_, setup_)) {}

Task Course::run() {
  GroundState& result = leader_.result();
  const bool begins = std::exchange(wants_empty_, false);  // after the gap has been found
  if (begins) paused_ = false;
  bool continues =
      setup_->wanted == RunSetup::Wanted::more_dynamics || (dynamics_ && dynamics_->paused());
  if (!continues && setup_->moves() && setup_->dynamics && !paused_) {
    co_await resume();
    continues = true;
  }
  if (!continues && !begins) {
    if (!paused_) {
      result = {};
      if (dynamics_) dynamics_->forget();
      const bool given = !setup_->positions.empty();
      leader_.place(given ? setup_->positions : setup_->job->positions,
                    given ? *setup_->cell : setup_->job->cell);
    }
    co_await minimiser_.find(paused_);
    paused_ = minimiser_.paused();
    result.history = minimiser_.history();
    result.converged = minimiser_.converged();
    result.stopped = minimiser_.stopped();
    if (!paused_) co_await minimiser_.remember_geometry();
    wants_empty_ = !paused_ && setup_->moves() && result.converged && needs_gap();
    if (wants_empty_) paused_ = true;
  }
  if (continues || (setup_->moves() && result.converged && !paused_)) {
    co_await dynamics_->run(continues);
    paused_ = dynamics_->paused();
    result.stopped = dynamics_->stopped();
    result.broken_off = dynamics_->broken_off();
  }
  if (!paused_) {
    if (const auto state = dynamics_state()) result.step = state->step;
    co_await leader_.complete_result();
  }
  leader_.end_lives();
}

/// A dynamics of orbitals is advised by the gap, which is found by other objects.
bool Course::needs_gap() const noexcept {
  return setup_->job->dynamics.kind == DynamicsKind::car_parrinello &&
         setup_->job->electrons.empty() > 0 && !setup_->gap;
}

/// What a run that has been kept knew at its step.
Task Course::resume() {
  GroundState& result = leader_.result();
  result = {};
  result.history = setup_->goes_on->history;
  result.converged = true;
  const DynamicsState& state = *setup_->dynamics;
  leader_.place(state.positions, state.cell);
  co_await dynamics_->resume(state);
}

SearchState Course::state() const {
  if (!dynamics_state()) return minimiser_.state();
  return {.history = leader_.result().history, .converged = true};
}

std::optional<DynamicsState> Course::dynamics_state() const {
  return setup_->moves() ? dynamics_->state() : std::nullopt;
}

}  // namespace fg::ab_initio
