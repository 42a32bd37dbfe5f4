// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/car_parrinello.hpp"

#include <utility>

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

bool CarParrinello::is_due(std::int64_t number) const noexcept {
  const DynamicsSettings& settings = setup_->job->dynamics;
  return number == settings.steps ||
         (settings.energy_steps > 0 && number % settings.energy_steps == 0);
}

Task CarParrinello::run(bool goes_on) {
  if (!goes_on) co_await begin();
  stopped_ = paused_ = false;
  while (step_.number < setup_->job->dynamics.steps) {
    stopped_ = leader_.is_stopped(step_.number);
    if (stopped_) break;
    paused_ = leader_.checkpoint_wanted();
    if (paused_) co_return;
    co_await move();
  }
  // Of the last orbitals: their energies for the results, and how far they are from the ground
  // state.
  co_await leader_.give(Order::gradient);
}

/// Step 0 is the ground state.
Task CarParrinello::begin() {
  begin_ = seconds_now(setup_->transport);
  step_ = {};
  co_await leader_.give(Order::rest);
  if (is_free()) co_await find_free_force(true);
  report();
}

Task CarParrinello::move() {
  const DynamicsSettings& settings = setup_->job->dynamics;
  ++step_.number;
  step_.time += settings.timestep;
  step_.was_reset = false;
  auto order = timed(is_free() ? Order::free_drift : Order::drift);
  order->velocity_scale = 1;
  co_await leader_.give(std::move(order));
  step_.deviation = leader_.motion().deviation;
  step_.iterations = leader_.motion().iterations;
  co_await leader_.evaluate(false, step_.number);
  if (is_free()) co_await find_free_force(false);
  co_await leader_.give(timed(Order::kick));
  step_.fictitious_kinetic = leader_.orbitals().fictitious;
  if (is_free() && step_.deviation > settings.reset_above) {
    co_await leader_.give(Order::reset);
    step_.fictitious_kinetic = leader_.orbitals().fictitious;
    step_.was_reset = true;
    co_await find_free_force(true);
  }
  if (!is_due(step_.number)) co_return;
  if (!is_free()) {
    co_await leader_.give(Order::project);
    step_.fictitious_kinetic -= leader_.motion().kinetic;
  }
  report();
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
  setup_->progress->push(step_);
}

}  // namespace fg::ab_initio
