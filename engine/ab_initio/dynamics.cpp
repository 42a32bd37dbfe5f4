// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/dynamics.hpp"

#include <utility>
#include <vector>

#include "ab_initio/born_oppenheimer.hpp"
#include "ab_initio/car_parrinello.hpp"
#include "ab_initio/leader.hpp"
#include "ab_initio/setup.hpp"
#include "processes/ranks.hpp"

namespace fg::ab_initio {

Dynamics::Dynamics(Leader& leader, std::shared_ptr<const Setup> setup)
    : leader_(leader), setup_(std::move(setup)) {}

ChareBase& Dynamics::chare() const noexcept {
  return leader_;
}

const DynamicsSettings& Dynamics::settings() const noexcept {
  return setup_->job->dynamics;
}

Task Dynamics::run(bool goes_on) {
  if (!goes_on) co_await begin();
  stopped_ = paused_ = false;
  while (step_.number < settings().steps) {
    stopped_ = leader_.is_stopped(step_.number);
    if (stopped_) break;
    paused_ = leader_.checkpoint_wanted();
    if (paused_) break;
    ++step_.number;
    step_.time += settings().timestep;
    co_await move();
    if (is_due(settings(), step_.number)) report();
  }
  co_await end();
}

/// Step 0 is the ground state that has been found.
Task Dynamics::begin() {
  begin_ = seconds_now(setup_->transport);
  step_ = {};
  ions_.reset();
  if (!settings().ions_rest) {
    ions_.emplace(*setup_->job);
    ions_->begin(leader_.ions().positions());
    co_await leader_.find_forces(Stress::left_out);
  }
  co_await begin_orbitals();
  has_begun_ = true;
  report();
}

Task Dynamics::resume(DynamicsState state) {
  begin_ = seconds_now(setup_->transport) - state.seconds;
  step_ = {};
  step_.number = state.step;
  step_.time = state.time;
  ions_.reset();
  if (!settings().ions_rest) {
    ions_.emplace(*setup_->job);
    ions_->restore(state.positions, state.velocities, state.ion_bath);
  }
  co_await restore_orbitals(std::move(state));
  has_begun_ = true;
}

std::optional<DynamicsState> Dynamics::state() const {
  if (!has_begun_) return std::nullopt;
  DynamicsState state{.step = step_.number,
                      .time = step_.time,
                      .seconds = seconds_now(setup_->transport) - begin_,
                      .positions = leader_.ions().positions()};
  if (ions_) {
    state.velocities = ions_->velocities();
    state.ion_bath = ions_->bath_state();
  }
  add_to(state);
  return state;
}

void Dynamics::move_ions() {
  if (!ions_) return;
  ions_->move(step_.number - 1, leader_.forces());
  leader_.place(ions_->positions());
}

Task Dynamics::kick_ions() {
  if (!ions_) co_return;
  co_await leader_.find_forces(Stress::left_out);
  ions_->kick(step_.number - 1, leader_.forces());
}

void Dynamics::report() {
  step_.energies = leader_.energies();
  step_.seconds = seconds_now(setup_->transport) - begin_;
  step_.bath = 0;
  if (ions_) {
    step_.ion_kinetic = ions_->kinetic_energy();
    step_.temperature = ions_->temperature();
    step_.bath = ions_->bath_energy();
    step_.constraint_forces = ions_->constraint_forces(leader_.forces());
  }
  add_to(step_);
  DynamicsStep reported = step_;
  if (has_frame(settings(), step_.number)) {
    reported.positions = leader_.ions().positions();
    reported.velocities =
        ions_ ? ions_->velocities() : std::vector<Vec3>(reported.positions.size());
    reported.forces = leader_.forces();
    reported.forces.resize(reported.positions.size());
  }
  setup_->progress->push(std::move(reported));
}

std::unique_ptr<Dynamics> make_dynamics(Leader& leader, const std::shared_ptr<const Setup>& setup) {
  switch (setup->job->dynamics.kind) {
    case DynamicsKind::car_parrinello:
      return std::make_unique<CarParrinello>(leader, setup);
    case DynamicsKind::born_oppenheimer:
      return std::make_unique<BornOppenheimer>(leader, setup);
    case DynamicsKind::none:
      break;
  }
  return nullptr;
}

}  // namespace fg::ab_initio
