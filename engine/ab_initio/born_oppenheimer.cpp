// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/born_oppenheimer.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "ab_initio/leader.hpp"
#include "ab_initio/setup.hpp"
#include "base/error.hpp"
#include "base/shown.hpp"
#include "electrons/predictor.hpp"
#include "processes/ranks.hpp"

namespace fg::ab_initio {

BornOppenheimer::BornOppenheimer(Leader& leader, std::shared_ptr<const Setup> setup)
    : leader_(leader), setup_(std::move(setup)) {}

ChareBase& BornOppenheimer::chare() const noexcept {
  return leader_;
}

Task BornOppenheimer::run(bool goes_on) {
  if (!goes_on) co_await begin();
  stopped_ = paused_ = false;
  while (step_.number < setup_->job->dynamics.steps) {
    stopped_ = leader_.is_stopped(step_.number);
    if (stopped_) co_return;
    paused_ = leader_.checkpoint_wanted();
    if (paused_) co_return;
    co_await move();
  }
}

/// Step 0 is the ground state that has been found.
Task BornOppenheimer::begin() {
  begin_ = seconds_now(setup_->transport);
  step_ = {};
  ions_.emplace(*setup_->job);
  ions_->begin(leader_.ions().positions());
  co_await leader_.find_forces();
  remembered_ = 0;
  co_await remember();
  has_begun_ = true;
  report();
}

Task BornOppenheimer::resume(DynamicsState state) {
  begin_ = seconds_now(setup_->transport) - state.seconds;
  step_ = {};
  step_.number = state.step;
  step_.time = state.time;
  ions_.emplace(*setup_->job);
  ions_->restore(state.positions, state.velocities, state.ion_bath);
  remembered_ = state.past;
  auto order = Leader::make(Order::resume);
  order->past = static_cast<std::int32_t>(state.past);
  co_await leader_.give(std::move(order));
  co_await leader_.evaluate(false, step_.number);
  co_await leader_.give(Order::gradient);
  co_await leader_.find_forces();
  has_begun_ = true;
}

std::optional<DynamicsState> BornOppenheimer::state() const {
  if (!has_begun_) return std::nullopt;
  return DynamicsState{.step = step_.number,
                       .time = step_.time,
                       .seconds = seconds_now(setup_->transport) - begin_,
                       .positions = leader_.ions().positions(),
                       .velocities = ions_->velocities(),
                       .ion_bath = ions_->bath_state(),
                       .past = std::min(remembered_, setup_->job->dynamics.predictor_order + 2)};
}

Task BornOppenheimer::move() {
  const std::int64_t from = step_.number++;
  step_.time += setup_->job->dynamics.timestep;
  ions_->move(from, leader_.forces());
  leader_.place(ions_->positions());
  co_await leader_.search().find_from(prediction());
  if (!leader_.search().converged())
    throw NumericsError({.what = "the orbitals did not converge",
                         .where = "step " + std::to_string(step_.number) + " of the dynamics",
                         .value = shown(leader_.residual()) + " hartree",
                         .limit = shown(setup_->job->ground_state.tolerance) + " hartree",
                         .hint = "use a shorter time step, or allow more iterations"});
  co_await leader_.find_forces();
  ions_->kick(from, leader_.forces());
  co_await remember();
  if (is_due(setup_->job->dynamics, step_.number)) report();
}

Ref<OrderMessage> BornOppenheimer::prediction() const {
  const std::vector<double> shares = electrons::predictor_coefficients(
      electrons::possible_predictor_order(setup_->job->dynamics.predictor_order, remembered_));
  FG_CHECK(shares.size() <= most_past);
  auto order = Leader::make(Order::predict);
  order->past = static_cast<std::int32_t>(shares.size());
  std::copy(shares.begin(), shares.end(), order->by_past);
  return order;
}

Task BornOppenheimer::remember() {
  ++remembered_;
  return leader_.give(Order::remember);
}

void BornOppenheimer::report() {
  step_.energies = leader_.energies();
  step_.seconds = seconds_now(setup_->transport) - begin_;
  step_.iterations = static_cast<int>(leader_.search().history().back().number);
  step_.residual = leader_.residual();
  step_.ion_kinetic = ions_->kinetic_energy();
  step_.temperature = ions_->temperature();
  step_.bath = ions_->bath_energy();
  DynamicsStep reported = step_;
  if (has_frame(setup_->job->dynamics, step_.number)) {
    reported.positions = leader_.ions().positions();
    reported.velocities = ions_->velocities();
    reported.forces = leader_.forces();
  }
  setup_->progress->push(std::move(reported));
}

}  // namespace fg::ab_initio
