// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/leader.hpp"

#include <cmath>
#include <string>
#include <utility>

#include "ab_initio/setup.hpp"
#include "base/error.hpp"

namespace fg::ab_initio {

namespace {

bool needs_matrices(Order order) noexcept {
  switch (order) {
    case Order::subspace:
    case Order::combine:
    case Order::orthonormalise:
    case Order::turn:
    case Order::gradient:
    case Order::direction:
    case Order::step:
      return true;
    default:
      return is_of_motion(order);
  }
}

bool has_motion_report(Order order) noexcept {
  return order == Order::drift || order == Order::free_drift || order == Order::project;
}

bool needs_density(Order order) noexcept {
  return order == Order::evaluate || order == Order::forces || order == Order::finish;
}

}  // namespace

Leader::Leader(std::shared_ptr<const Setup> setup)
    : setup_(std::move(setup)),
      ions_(*setup_),
      minimiser_(*this, setup_),
      dynamics_(make_dynamics(*this, setup_)) {}

Task Leader::life() {
  bool continues =
      setup_->wanted == Setup::Wanted::more_dynamics || (dynamics_ && dynamics_->paused());
  if (!continues && moves() && setup_->dynamics && !paused_) {
    co_await resume();
    continues = true;
  }
  if (!continues) {
    if (!paused_) {
      result_ = {};
      if (dynamics_) dynamics_->forget();
      const bool given = !setup_->positions.empty();
      place(given ? setup_->positions : setup_->job->positions,
            given ? *setup_->cell : setup_->job->cell);
    }
    co_await minimiser_.find(paused_);
    paused_ = minimiser_.paused();
    result_.history = minimiser_.history();
    result_.converged = minimiser_.converged();
    result_.stopped = minimiser_.stopped();
  }
  if (continues || (moves() && result_.converged && !paused_)) {
    co_await dynamics_->run(continues);
    paused_ = dynamics_->paused();
    result_.stopped = dynamics_->stopped();
    result_.broken_off = dynamics_->broken_off();
  }
  if (!paused_) {
    result_.energies = energies();
    result_.cell = ions_.cell();
    result_.positions = ions_.positions();
    if (const auto state = dynamics_state()) result_.step = state->step;
    result_.magnetization = {density_.magnetization, density_.absolute_magnetization};
    co_await find_forces(Stress::found);
  }
  send(make(Order::finish));
}

/// What a run that has been kept knew at its step.
Task Leader::resume() {
  result_ = {};
  result_.history = setup_->goes_on->history;
  result_.converged = true;
  const DynamicsState& state = *setup_->dynamics;
  place(state.positions, state.cell);
  co_await dynamics_->resume(state);
}

/// Of the search before the first step of a dynamics.
SearchState Leader::state() const {
  if (!dynamics_state()) return minimiser_.state();
  return {.history = result_.history, .converged = true};
}

std::optional<DynamicsState> Leader::dynamics_state() const {
  return moves() ? dynamics_->state() : std::nullopt;
}

bool Leader::moves() const noexcept {
  return setup_->wanted != Setup::Wanted::ground_state;
}

bool Leader::is_stopped(std::int64_t number) const {
  if (setup_->progress->stop_wanted.load()) return true;
  return setup_->stop_after >= 0 && number >= setup_->stop_after;
}

bool Leader::checkpoint_wanted() const {
  return setup_->progress->checkpoint_wanted.exchange(false);
}

Ref<OrderMessage> Leader::make(Order order) {
  auto message = make_message<OrderMessage>();
  message->order = order;
  return message;
}

void Leader::send(Ref<OrderMessage> order) {
  order->number = orders_;
  order->evaluation = evaluations_;
  order->placement = ions_.placements();
  order->cell = ions_.cell();
  const Order what = order->order;
  const Ref<const OrderMessage> shared = std::move(order);
  if (needs_density(what))
    setup_->density.broadcast_at<&Density::order>(density_orders_++, shared, Lane::high);
  if (what == Order::evaluate) ++evaluations_;
  if (needs_matrices(what)) setup_->ortho.broadcast<&Ortho::order>(shared, Lane::high);
  setup_->orbitals.broadcast<&Orbitals::order>(shared);
}

void Leader::place(std::span<const Vec3> positions, const electrons::Lattice& cell) {
  if (ions_.place(positions, cell, density_orders_)) ++density_orders_;
}

Task Leader::give(Ref<OrderMessage> order) {
  const Order what = order->order;
  send(std::move(order));
  if (what == Order::accept) {
    co_await when<&Leader::search_products>(orders_);
  } else if (what == Order::evaluate) {
    co_await all_of(expect<&Leader::orbital_sums>(orders_), expect<&Leader::largest>(orders_),
                    expect<&Leader::density_sums>(orders_));
  } else if (what == Order::forces) {
    co_await all_of(expect<&Leader::orbital_forces>(orders_),
                    expect<&Leader::density_forces>(orders_));
  } else {
    co_await all_of(expect<&Leader::orbital_sums>(orders_), expect<&Leader::largest>(orders_));
    if (what == Order::direction || what == Order::subspace)
      co_await when<&Leader::largest_spread>(orders_);
    if (has_motion_report(what)) co_await when<&Leader::motion_report>(orders_);
  }
  ++orders_;
}

Task Leader::evaluate(bool free_atoms, std::int64_t iteration) {
  auto order = make(Order::evaluate);
  order->free_atoms = free_atoms;
  co_await give(std::move(order));
  orbital_energies_ = orbitals_;
  energy_ = energies().total();
  if (!std::isfinite(energy_))
    throw NumericsError({.what = "the energy of the electrons is not a number",
                         .where = "iteration " + std::to_string(iteration),
                         .hint = "look for ions that are too close to each other"});
}

Energies Leader::energies() const noexcept {
  const auto& dispersion = setup_->job->dispersion;
  return {.kinetic = orbital_energies_.kinetic,
          .hartree = density_.hartree,
          .local = density_.local,
          .alpha = density_.alpha,
          .nonlocal = orbital_energies_.nonlocal,
          .exchange_correlation = density_.exchange_correlation,
          .ewald = ions_.energy().energy,
          .dispersion = dispersion ? std::optional(dispersion->energy) : std::nullopt};
}

Task Leader::find_forces(Stress stress) {
  auto order = make(Order::forces);
  order->stress = stress;
  co_await give(std::move(order));
  Virial virial = ions_.energy().virial;
  result_.forces = ions_.energy().forces;
  add_force_numbers(orbital_force_numbers_, result_.forces, virial);
  add_force_numbers(density_force_numbers_, result_.forces, virial);
  if (const auto& dispersion = setup_->job->dispersion)
    for (std::size_t i = 0; i < result_.forces.size(); ++i)
      result_.forces[i] += dispersion->forces[i];
  if (stress == Stress::left_out) co_return;
  virial_ = virial;
  const double scale = -1 / ions_.cell().volume();
  const auto [xx, yy, zz, xy, xz, yz] = virial;
  result_.stress = {xx, xy, xz, xy, yy, yz, xz, yz, zz};
  for (double& component : result_.stress) component *= scale;
  if (const auto& dispersion = setup_->job->dispersion)
    for (std::size_t i = 0; i < result_.stress.size(); ++i)
      result_.stress[i] += dispersion->strain[i] / ions_.cell().volume();
}

void Leader::orbital_sums(Ref<const ReductionMessage<double>> sums) {
  const auto v = sums->values();
  orbitals_ = {.kinetic = v[0], .nonlocal = v[1], .slope = v[2], .fictitious = v[3]};
}

void Leader::search_products(Ref<const ReductionMessage<double>> sums) {
  products_ = SearchProducts::of(sums->values());
}

void Leader::largest(Ref<const ReductionMessage<double>> sums) {
  residual_ = sums->values()[0];
}

void Leader::density_sums(Ref<const ReductionMessage<double>> sums) {
  const auto v = sums->values();
  density_ = {.hartree = v[0],
              .local = v[1],
              .alpha = v[2],
              .exchange_correlation = v[3],
              .electrons = v[4],
              .magnetization = v[5],
              .absolute_magnetization = v[6]};
}

void Leader::orbital_forces(Ref<const ReductionMessage<double>> sums) {
  orbital_force_numbers_.assign(sums->values().begin(), sums->values().end());
}
void Leader::density_forces(Ref<const ReductionMessage<double>> sums) {
  density_force_numbers_.assign(sums->values().begin(), sums->values().end());
}

}  // namespace fg::ab_initio
