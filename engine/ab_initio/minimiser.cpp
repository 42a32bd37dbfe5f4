// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/minimiser.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ab_initio/setup.hpp"
#include "base/error.hpp"
#include "processes/ranks.hpp"

namespace fg::ab_initio {

namespace {

// Of a search along a direction.
constexpr int most_trials = 10;
constexpr double enough_decrease = 1e-4;  // of what the slope promises
constexpr double flat_enough = 0.8;       // the slope at the end, of that at the beginning
constexpr double energy_noise = 1e-6;     // relative; functionals with thresholds jump
constexpr double least_curvature = 1e-8;  // of a pair that is remembered
constexpr std::size_t settled_after = 2;  // iterations with small changes of the energy
/// Energies above the end were 0.5 to 2.8 times the estimates of waters, ice, silicon, MgO and a
/// molecule, from the start down to rounding.
constexpr double estimate_margin = 4;

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
      return false;
  }
}

}  // namespace

Minimiser::Minimiser(std::shared_ptr<const Setup> setup)
    : setup_(std::move(setup)),
      kind_(minimiser_kind(setup_->job->ground_state.minimiser)),
      ions_(*setup_) {}

Task Minimiser::life() {
  if (!paused_) {
    result_ = {};
    begin_ = seconds_now(setup_->transport);
    place_ions();
    if (setup_->goes_on && setup_->positions.empty()) {
      co_await go_on_from(*setup_->goes_on);
    } else {
      co_await prepare();
      note_iteration();
    }
  }
  paused_ = false;
  for (;;) {
    result_.converged = converged();
    result_.stopped = !result_.converged && stops();
    if (result_.converged || result_.stopped ||
        result_.history.back().number >= setup_->job->ground_state.iterations)
      break;
    if (pauses()) {
      begin_order(Order::finish);
      co_return;
    }
    co_await choose_direction();
    result_.converged = energy_is_known();
    if (result_.converged) break;
    co_await search();
    if (found_length_ < 0 && pairs_ > 0) {
      // What is remembered may be wrong where the energy is not smooth.
      pairs_ = 0;
      co_await choose_direction();
      co_await search();
    }
    if (found_length_ < 0)
      throw NumericsError(
          {.what = "the energy does not fall along its gradient",
           .where = "iteration " + std::to_string(result_.history.back().number),
           .value = "energy " + std::to_string(base_energy_) + ", slope " +
                    std::to_string(slope_factor() * slope_),
           .hint = "look for ions that are too close to each other, or use another start"});
    co_await accept(found_length_);
    note_iteration();
  }
  result_.energies = energies();
  result_.positions = ions_.positions();
  result_.magnetization = {density_.magnetization, density_.absolute_magnetization};
  co_await add_forces();
  begin_order(Order::finish);
}

bool Minimiser::stops() const {
  if (setup_->progress->stop_wanted.load()) return true;
  return setup_->stop_after >= 0 && result_.history.back().number >= setup_->stop_after;
}

/// One checkpoint for each time that one is wanted.
bool Minimiser::pauses() {
  paused_ = setup_->progress->checkpoint_wanted.exchange(false);
  return paused_;
}

SearchState Minimiser::state() const {
  // After its end nothing of the search is needed.
  return {.history = result_.history,
          .converged = result_.converged,
          .pairs = result_.converged ? 0 : pairs_,
          .step_change = step_change_,
          .last_length = last_length_,
          .last_steepness = last_steepness_};
}

/// The energy and its gradient have the same bits as in the run that has kept the orbitals.
Task Minimiser::go_on_from(SearchState state) {
  pairs_ = state.pairs;
  co_await give(Order::stored);
  co_await evaluate();
  co_await give(Order::gradient);
  co_await accept(0);
  step_change_ = state.step_change;
  last_length_ = state.last_length;
  last_steepness_ = state.last_steepness;
  begin_ -= state.history.back().seconds;
  result_.history = std::move(state.history);
}

void Minimiser::place_ions() {
  const auto& wanted = setup_->positions;
  if (ions_.place(wanted.empty() ? setup_->job->positions : wanted, density_orders_))
    ++density_orders_;
}

Task Minimiser::begin_with(Order orbitals) {
  pairs_ = 0;
  co_await give(orbitals);
  co_await give(Order::orthonormalise);
}

Task Minimiser::prepare() {
  if (setup_->starts_from_last) {
    co_await begin_with(Order::last);
  } else if (setup_->stored) {
    co_await begin_with(Order::stored);
  } else if (setup_->job->ground_state.start == "atomic") {
    co_await begin_with_atoms();
  } else {
    co_await give(Order::random);
    co_await give(Order::orthonormalise);
    co_await evaluate();
    co_await give(Order::gradient);
    // So that each orbital has its own energy, which the preconditioner needs.
    co_await give(Order::turn);
  }
  co_await evaluate();
  co_await give(Order::gradient);
  pairs_ = 0;
  co_await accept(0);
}

/// The lowest orbitals in the space of atomic ones, in the potential of free atoms.
Task Minimiser::begin_with_atoms() {
  const int sets = setup_->subspace().sets();
  for (int set = 0; set < sets; ++set) {
    co_await give_set(Order::atomic, set);
    co_await evaluate(true);
    co_await give_set(Order::keep, set);
  }
  for (int set = 0; set < sets; ++set)
    for (int other = set; other < sets; ++other) co_await give_set(Order::subspace, set, other);
  for (int set = 0; set < sets; ++set) co_await give_set(Order::combine, set);
  co_await give(Order::orthonormalise);
}

Task Minimiser::give_set(Order order, int set, int other) {
  set_ = set;
  other_ = other;
  co_await give(order);
}

double Minimiser::slope_factor() const noexcept {
  return 2 * setup_->job->occupation();
}

void Minimiser::note_iteration() {
  const auto number = static_cast<std::int64_t>(result_.history.size());
  result_.history.push_back({.number = number,
                             .energy = energy_,
                             .residual = residual_,
                             .seconds = seconds_now(setup_->transport) - begin_});
  setup_->progress->push(result_.history.back());
}

bool Minimiser::converged() const noexcept {
  const GroundStateSettings& settings = setup_->job->ground_state;
  if (residual_ <= settings.tolerance) return true;
  const auto& history = result_.history;
  if (history.size() <= settled_after) return false;
  for (std::size_t i = history.size() - settled_after; i < history.size(); ++i)
    if (std::abs(history[i].energy - history[i - 1].energy) >= settings.energy_tolerance)
      return false;
  return true;
}

/// In units of the second derivatives that the search knows, the energy falls along a direction by
/// half of its slope: an estimate of what is still above the end.
bool Minimiser::energy_is_known() const noexcept {
  const double above = -0.5 * slope_factor() * slope_;
  return kind_ == MinimiserKind::l_bfgs && pairs_ > 0 && above >= 0 &&
         estimate_margin * above <= setup_->job->ground_state.energy_tolerance;
}

Task Minimiser::choose_direction() {
  co_await give(Order::direction);
  if (orbitals_.slope >= 0 && pairs_ > 0) {
    pairs_ = 0;
    co_await give(Order::direction);
  }
  slope_ = orbitals_.slope;
}

void Minimiser::set_direction(OrderMessage& order) const {
  order.pairs = 0;
  order.scale = 1;
  if (pairs_ == 0 || kind_ == MinimiserKind::steepest_descent) return;
  if (kind_ == MinimiserKind::conjugate_gradients) {
    // Polak and Ribiere; a negative share would lead back. The last direction is the last step over
    // its length.
    order.pairs = 1;
    order.by_step[0] =
        -std::max(0.0, products_.change_gradient[0] / last_steepness_) / last_length_;
    return;
  }
  two_loops(products_, step_change_, pairs_, order);
}

Task Minimiser::search() {
  const double first = slope_factor() * slope_;
  double length = std::min(1.0, 1 / std::sqrt(spread_));
  found_length_ = -1;
  for (int trial = 0; trial < most_trials && slope_ < 0; ++trial) {
    co_await give(Order::step, length);
    co_await evaluate();
    co_await give(Order::gradient);
    const double last = slope_factor() * orbitals_.slope;
    const bool falls = energy_ <= base_energy_ + enough_decrease * length * first;
    const bool flat = last <= flat_enough * std::abs(first) &&
                      energy_ <= base_energy_ + energy_noise * std::abs(base_energy_);
    if (falls || flat) {
      found_length_ = length;
      co_return;
    }
    const double wanted = last > first ? length * first / (first - last) : length / 2;
    length = std::min(std::max(wanted, length / 10), length / 2);
  }
}

/// Where a search has ended the next one begins.
Task Minimiser::accept(double length) {
  if (length > 0) pairs_ = std::min(pairs_ + 1, most_pairs);
  last_length_ = length;
  last_steepness_ = products_.steepness;
  begin_order(Order::accept, length);
  co_await when<&Minimiser::search_products>(orders_);
  ++orders_;
  base_energy_ = energy_;
  if (length <= 0) co_return;
  add_newest(products_, step_change_);
  // Without curvature along the step nothing is known about it.
  if (step_change_[0][0] <=
      least_curvature * std::sqrt(products_.step_square * products_.change_square))
    pairs_ = 0;
}

Energies Minimiser::energies() const noexcept {
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

void Minimiser::begin_order(Order order, double length) {
  auto message = order == Order::atomic ? ions_.order() : make_message<OrderMessage>();
  message->number = orders_;
  message->placement = ions_.placements();
  message->evaluation = evaluations_;
  message->order = order;
  message->length = length;
  message->spread = spread_;
  message->pairs = pairs_;
  message->set = set_;
  message->other = other_;
  message->free_atoms = free_atoms_;
  if (order == Order::direction) set_direction(*message);
  const Ref<const OrderMessage> shared = std::move(message);
  if (order == Order::evaluate || order == Order::forces || order == Order::finish)
    setup_->density.broadcast_at<&Density::order>(density_orders_++, shared, Lane::high);
  if (order == Order::evaluate) ++evaluations_;
  if (needs_matrices(order)) setup_->ortho.broadcast<&Ortho::order>(shared, Lane::high);
  setup_->orbitals.broadcast<&Orbitals::order>(shared);
}

Task Minimiser::give(Order order, double length) {
  begin_order(order, length);
  co_await all_of(expect<&Minimiser::orbital_sums>(orders_), expect<&Minimiser::largest>(orders_));
  if (order == Order::direction || order == Order::subspace)
    co_await when<&Minimiser::largest_spread>(orders_);
  ++orders_;
}

Task Minimiser::evaluate(bool free_atoms) {
  free_atoms_ = free_atoms;
  begin_order(Order::evaluate);
  co_await all_of(expect<&Minimiser::orbital_sums>(orders_), expect<&Minimiser::largest>(orders_),
                  expect<&Minimiser::density_sums>(orders_));
  ++orders_;
  orbital_energies_ = orbitals_;
  energy_ = energies().total();
  if (!std::isfinite(energy_))
    throw NumericsError({.what = "the energy of the electrons is not a number",
                         .where = "iteration " + std::to_string(result_.history.size()),
                         .hint = "look for ions that are too close to each other"});
}

Task Minimiser::add_forces() {
  begin_order(Order::forces);
  co_await all_of(expect<&Minimiser::orbital_forces>(orders_),
                  expect<&Minimiser::density_forces>(orders_));
  ++orders_;
  Virial virial = ions_.energy().virial;
  result_.forces = ions_.energy().forces;
  add_force_numbers(orbital_force_numbers_, result_.forces, virial);
  add_force_numbers(density_force_numbers_, result_.forces, virial);
  const double scale = -1 / setup_->basis->volume();
  const auto [xx, yy, zz, xy, xz, yz] = virial;
  result_.stress = {xx, xy, xz, xy, yy, yz, xz, yz, zz};
  for (double& component : result_.stress) component *= scale;
  if (const auto& dispersion = setup_->job->dispersion) {
    for (std::size_t i = 0; i < result_.forces.size(); ++i)
      result_.forces[i] += dispersion->forces[i];
    for (std::size_t i = 0; i < result_.stress.size(); ++i)
      result_.stress[i] += dispersion->strain[i] / setup_->basis->volume();
  }
}

void Minimiser::orbital_sums(Ref<const ReductionMessage<double>> sums) {
  const auto v = sums->values();
  orbitals_ = {.kinetic = v[0], .nonlocal = v[1], .slope = v[2]};
}

void Minimiser::search_products(Ref<const ReductionMessage<double>> sums) {
  products_ = SearchProducts::of(sums->values());
}

void Minimiser::largest(Ref<const ReductionMessage<double>> sums) {
  residual_ = sums->values()[0];
}

void Minimiser::density_sums(Ref<const ReductionMessage<double>> sums) {
  const auto v = sums->values();
  density_ = {.hartree = v[0],
              .local = v[1],
              .alpha = v[2],
              .exchange_correlation = v[3],
              .electrons = v[4],
              .magnetization = v[5],
              .absolute_magnetization = v[6]};
}

void Minimiser::orbital_forces(Ref<const ReductionMessage<double>> sums) {
  orbital_force_numbers_.assign(sums->values().begin(), sums->values().end());
}
void Minimiser::density_forces(Ref<const ReductionMessage<double>> sums) {
  density_force_numbers_.assign(sums->values().begin(), sums->values().end());
}

}  // namespace fg::ab_initio
