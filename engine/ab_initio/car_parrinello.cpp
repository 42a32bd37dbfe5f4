// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/car_parrinello.hpp"

#include <utility>

#include "ab_initio/baths.hpp"
#include "ab_initio/leader.hpp"
#include "ab_initio/setup.hpp"
#include "processes/ranks.hpp"

namespace fg::ab_initio {

CarParrinello::CarParrinello(Leader& leader, std::shared_ptr<const Setup> setup)
    : leader_(leader), setup_(std::move(setup)) {}

ChareBase& CarParrinello::chare() const noexcept {
  return leader_;
}

bool CarParrinello::is_free() const noexcept {
  return setup_->job->dynamics.orthonormality == Orthonormality::free;
}

Task CarParrinello::run(bool goes_on) {
  if (!goes_on) co_await begin();
  stopped_ = paused_ = false;
  while (step_.number < setup_->job->dynamics.steps) {
    stopped_ = leader_.is_stopped(step_.number);
    if (stopped_) break;
    paused_ = leader_.checkpoint_wanted();
    if (paused_) break;
    co_await move();
  }
  // Of the last orbitals: their energies for the results, and how far they are from the ground
  // state.
  co_await leader_.give(Order::gradient);
}

/// Step 0 is the ground state.
Task CarParrinello::begin() {
  const Job& job = *setup_->job;
  begin_ = seconds_now(setup_->transport);
  step_ = {};
  velocity_scale_ = 1;
  bath_ = make_electron_bath(job.dynamics, job.positions.size());
  ions_.reset();
  if (!job.dynamics.ions_rest) {
    ions_.emplace(job);
    ions_->begin(leader_.ions().positions());
    co_await leader_.find_forces();
  }
  co_await leader_.give(Order::rest);
  if (is_free()) co_await find_free_force(true);
  has_begun_ = true;
  report();
}

/// Energies, forces and, of free orbitals, the square root of their overlaps follow from what is
/// kept, to the same bits.
Task CarParrinello::resume(DynamicsState state) {
  const Job& job = *setup_->job;
  begin_ = seconds_now(setup_->transport) - state.seconds;
  step_ = {};
  step_.number = state.step;
  step_.time = state.time;
  step_.fictitious_kinetic = state.fictitious_kinetic;
  step_.was_reset = state.was_reset;
  velocity_scale_ = state.velocity_scale;
  bath_ = make_electron_bath(job.dynamics, job.positions.size());
  if (bath_) bath_->restore(state.electron_bath);
  ions_.reset();
  if (!job.dynamics.ions_rest) {
    ions_.emplace(job);
    ions_->restore(state.positions, state.velocities, state.ion_bath);
  }
  co_await leader_.give(Order::resume);
  const bool orthonormal = state.step == 0 || state.was_reset;
  if (is_free() && !orthonormal) {
    auto order = Leader::make(Order::free_drift);  // in no time
    order->velocity_scale = 1;
    co_await leader_.give(std::move(order));
  }
  co_await leader_.evaluate(false, step_.number);
  if (ions_) co_await leader_.find_forces();
  if (is_free()) co_await find_free_force(orthonormal);
  has_begun_ = true;
}

std::optional<DynamicsState> CarParrinello::state() const {
  if (!has_begun_) return std::nullopt;
  return DynamicsState{.step = step_.number,
                       .time = step_.time,
                       .seconds = seconds_now(setup_->transport) - begin_,
                       .positions = leader_.ions().positions(),
                       .velocities = ions_ ? ions_->velocities() : std::vector<Vec3>(),
                       .ion_bath = ions_ ? ions_->bath_state() : IonBathState(),
                       .electron_bath = bath_ ? bath_->state() : NoseHooverState(),
                       .fictitious_kinetic = step_.fictitious_kinetic,
                       .velocity_scale = velocity_scale_,
                       .was_reset = step_.was_reset};
}

Task CarParrinello::move() {
  const DynamicsSettings& settings = setup_->job->dynamics;
  const std::int64_t from = step_.number++;
  step_.time += settings.timestep;
  if (bath_) act_of_bath();
  auto order = timed(is_free() ? Order::free_drift : Order::drift);
  order->velocity_scale = velocity_scale_;
  velocity_scale_ = 1;
  co_await leader_.give(std::move(order));
  step_.deviation = leader_.motion().deviation;
  step_.iterations = leader_.motion().iterations;
  if (ions_) {
    ions_->move(from, leader_.forces());
    leader_.place(ions_->positions());
  }
  co_await leader_.evaluate(false, step_.number);
  if (ions_) {
    co_await leader_.find_forces();
    ions_->kick(from, leader_.forces());
  }
  if (is_free()) co_await find_free_force(false);
  co_await find_kinetic_energy();
  if (bath_) act_of_bath();
  if (is_due(setup_->job->dynamics, step_.number)) report();
}

/// After the other half of the kick.
Task CarParrinello::find_kinetic_energy() {
  co_await leader_.give(timed(Order::kick));
  step_.fictitious_kinetic = leader_.orbitals().fictitious;
  step_.was_reset = is_free() && step_.deviation > setup_->job->dynamics.reset_above;
  if (step_.was_reset) {
    co_await leader_.give(Order::reset);
    step_.fictitious_kinetic = leader_.orbitals().fictitious;
    co_await find_free_force(true);
  }
  if (is_free() || (!bath_ && !is_due(setup_->job->dynamics, step_.number))) co_return;
  co_await leader_.give(Order::project);
  step_.fictitious_kinetic -= leader_.motion().kinetic;
}

/// For half a time step.
void CarParrinello::act_of_bath() {
  const double scale = bath_->advance(step_.fictitious_kinetic, setup_->job->dynamics.timestep / 2);
  velocity_scale_ *= scale;
  step_.fictitious_kinetic *= scale * scale;
}

Task CarParrinello::find_free_force(bool orthonormal) {
  auto order = Leader::make(Order::free_force);
  order->orthonormal = orthonormal;
  return leader_.give(std::move(order));
}

Ref<OrderMessage> CarParrinello::timed(Order order) const {
  auto message = Leader::make(order);
  message->timestep = setup_->job->dynamics.timestep;
  return message;
}

void CarParrinello::report() {
  step_.energies = leader_.energies();
  step_.seconds = seconds_now(setup_->transport) - begin_;
  step_.bath = bath_ ? bath_->energy() : 0;
  if (ions_) {
    step_.ion_kinetic = ions_->kinetic_energy();
    step_.temperature = ions_->temperature();
    step_.bath += ions_->bath_energy();
  }
  DynamicsStep reported = step_;
  if (has_frame(setup_->job->dynamics, step_.number)) {
    reported.positions = leader_.ions().positions();
    reported.velocities =
        ions_ ? ions_->velocities() : std::vector<Vec3>(reported.positions.size());
    reported.forces = leader_.forces();
    reported.forces.resize(reported.positions.size());
  }
  setup_->progress->push(std::move(reported));
}

}  // namespace fg::ab_initio
