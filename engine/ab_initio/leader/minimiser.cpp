// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/leader/minimiser.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ab_initio/division/spin_blocks.hpp"
#include "ab_initio/leader/leader.hpp"
#include "ab_initio/leader/setups.hpp"
#include "base/error.hpp"
#include "processes/ranks.hpp"

namespace fg::ab_initio {

namespace {

// Limits of a search along a direction.
constexpr int most_trials = 10;
constexpr double enough_decrease = 1e-4;  // of what the slope promises
constexpr double flat_enough = 0.8;       // the slope at the end, of that at the beginning
constexpr double energy_noise = 1e-6;     // relative; functionals with thresholds jump
constexpr double least_curvature = 1e-8;  // of a pair that is remembered
constexpr std::size_t settled_after = 2;  // iterations with small changes of the energy
/// The energy above the end was 0.5 to 2.8 times the estimate, from the start down to rounding.
/// Tests were waters, ice, silicon, MgO and a molecule.
constexpr double estimate_margin = 4;

}  // namespace

Minimiser::Minimiser(Leader& leader, std::shared_ptr<const RunSetup> setup)
    : leader_(leader), setup_(std::move(setup)), kind_(setup_->job->ground_state.minimiser) {}

ChareBase& Minimiser::chare() const noexcept {
  return leader_;
}

Task Minimiser::find(bool goes_on) {
  of_dynamics_ = false;
  if (!goes_on) {
    history_.clear();
    begin_ = seconds_now(setup_->transport);
    if (setup_->goes_on && setup_->positions.empty()) {
      co_await go_on_from(*setup_->goes_on);
    } else {
      co_await prepare();
      note_iteration();
    }
  }
  co_await iterate();
}

Task Minimiser::find_from(std::vector<double> shares) {
  of_dynamics_ = true;
  history_.clear();
  begin_ = seconds_now(setup_->transport);
  co_await leader_.predict(shares);
  co_await leader_.orthonormalise();
  co_await evaluate();
  co_await leader_.gradient();
  pairs_ = 0;
  co_await accept(0);
  note_iteration();
  co_await iterate();
}

Task Minimiser::iterate() {
  stopped_ = paused_ = false;
  for (;;) {
    const std::int64_t number = history_.back().number;
    converged_ = has_converged();
    stopped_ = !converged_ && !of_dynamics_ && leader_.is_stopped(setup_->moves() ? -1 : number);
    if (converged_ || stopped_ || number >= setup_->job->ground_state.iterations) co_return;
    paused_ = !of_dynamics_ && leader_.checkpoint_wanted();
    if (paused_) co_return;
    co_await choose_direction();
    converged_ = energy_is_known();
    if (converged_) co_return;
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
           .where = "iteration " + std::to_string(number),
           .value = "energy " + std::to_string(base_energy_) + ", slope " +
                    std::to_string(slope_factor() * slope_),
           .hint = "look for ions that are too close to each other, or use another start"});
    co_await accept(found_length_);
    note_iteration();
  }
}

SearchState Minimiser::state() const {
  // After its end nothing of the search is needed.
  return {.history = history_,
          .converged = converged_,
          .pairs = converged_ ? 0 : pairs_,
          .step_change = step_change_,
          .last_length = last_length_,
          .last_steepness = last_steepness_};
}

/// The energy and its gradient have the same bits as in the run that has kept the orbitals.
Task Minimiser::go_on_from(SearchState state) {
  co_await begin_with_stored(state.pairs);
  co_await evaluate();
  co_await leader_.gradient();
  co_await accept(0);
  step_change_ = state.step_change;
  last_length_ = state.last_length;
  last_steepness_ = state.last_steepness;
  begin_ -= state.history.back().seconds;
  history_ = std::move(state.history);
}

Task Minimiser::begin_with_stored(int pairs) {
  pairs_ = pairs;
  return leader_.stored(pairs);
}

Task Minimiser::prepare() {
  if (setup_->starts_from_last) {
    co_await recall();
    co_await leader_.orthonormalise();
  } else if (setup_->stored) {
    co_await begin_with_stored(0);
    co_await leader_.orthonormalise();
  } else if (setup_->job->ground_state.start == StartKind::atomic) {
    co_await begin_with_atoms();
  } else {
    co_await leader_.random();
    co_await leader_.orthonormalise();
    co_await evaluate();
    co_await leader_.gradient();
    // So that each orbital has its own energy, which the preconditioner needs.
    co_await leader_.turn();
  }
  co_await evaluate();
  co_await leader_.gradient();
  pairs_ = 0;
  co_await accept(0);
}

Task Minimiser::remember_geometry() {
  // In another cell the same displacement means another one.
  const bool is_of_job = leader_.ions().cell() == setup_->job->cell;
  const bool moves = setup_->job->dynamics.kind != DynamicsKind::none;
  if (setup_->positions.empty() || moves || !converged_ || !is_of_job) {
    past_.clear();
    co_return;
  }
  co_await leader_.remember();
  past_.add(leader_.ions().positions());
}

/// Orbitals for a search at the present positions, from those of searches before.
Task Minimiser::recall() {
  const IonPlaces& ions = leader_.ions();
  if (ions.cell() == setup_->job->cell)
    if (const auto shares = past_.shares(*setup_->job, ions.positions()); !shares.empty())
      return leader_.predict(shares);
  return leader_.last();
}

/// The lowest orbitals in the space of atomic ones, in the potential of free atoms.
Task Minimiser::begin_with_atoms() {
  const int sets = SubspaceOfSpins(*setup_->basis, setup_->atomic_orbitals).sets();
  for (int set = 0; set < sets; ++set) {
    co_await leader_.atomic(set);
    co_await evaluate(true);
    co_await leader_.keep();
  }
  for (int set = 0; set < sets; ++set)
    for (int other = set; other < sets; ++other) co_await leader_.subspace(set, other);
  for (int set = 0; set < sets; ++set) co_await leader_.combine(set);
  co_await leader_.orthonormalise();
}

Task Minimiser::evaluate(bool free_atoms) {
  return leader_.evaluate(free_atoms, static_cast<std::int64_t>(history_.size()));
}

double Minimiser::slope_factor() const noexcept {
  return 2 * setup_->job->occupation();
}

void Minimiser::note_iteration() {
  const auto number = static_cast<std::int64_t>(history_.size());
  history_.push_back({.number = number,
                      .energy = leader_.energy(),
                      .residual = leader_.residual(),
                      .seconds = seconds_now(setup_->transport) - begin_});
  if (!of_dynamics_) setup_->progress->push(history_.back());
}

bool Minimiser::has_converged() const noexcept {
  const GroundStateSettings& settings = setup_->job->ground_state;
  if (leader_.residual() <= settings.tolerance) return true;
  const auto& history = history_;
  if (history.size() <= settled_after) return false;
  for (std::size_t i = history.size() - settled_after; i < history.size(); ++i)
    if (std::abs(history[i].energy - history[i - 1].energy) >= settings.energy_tolerance)
      return false;
  return true;
}

/// Estimates how far the energy is above its end. In units of the second derivatives that the
/// search knows, the energy falls along a direction by half of its slope.
bool Minimiser::energy_is_known() const noexcept {
  const double above = -0.5 * slope_factor() * slope_;
  return kind_ == MinimiserKind::l_bfgs && pairs_ > 0 && above >= 0 &&
         estimate_margin * above <= setup_->job->ground_state.energy_tolerance;
}

Task Minimiser::find_direction() {
  return leader_.direction(next_direction());
}

Task Minimiser::choose_direction() {
  co_await find_direction();
  if (leader_.orbitals().slope >= 0 && pairs_ > 0) {
    pairs_ = 0;
    co_await find_direction();
  }
  slope_ = leader_.orbitals().slope;
}

SearchDirection Minimiser::next_direction() const {
  SearchDirection next{.pairs = 0, .scale = 1, .by_change = {}, .by_step = {}};
  if (pairs_ == 0 || kind_ == MinimiserKind::steepest_descent) return next;
  if (kind_ == MinimiserKind::l_bfgs) return two_loops(products_, step_change_, pairs_);
  // Polak and Ribiere; a negative share would lead back. The last direction is the last step over
  // its length.
  next.pairs = 1;
  next.by_step[0] = -std::max(0.0, products_.change_gradient[0] / last_steepness_) / last_length_;
  return next;
}

Task Minimiser::search() {
  const double first = slope_factor() * slope_;
  double length = std::min(1.0, 1 / std::sqrt(leader_.spread()));
  found_length_ = -1;
  for (int trial = 0; trial < most_trials && slope_ < 0; ++trial) {
    co_await leader_.step(length);
    co_await evaluate();
    co_await leader_.gradient();
    const double last = slope_factor() * leader_.orbitals().slope;
    const double energy = leader_.energy();
    const bool falls = energy <= base_energy_ + enough_decrease * length * first;
    const bool flat = last <= flat_enough * std::abs(first) &&
                      energy <= base_energy_ + energy_noise * std::abs(base_energy_);
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
  co_await leader_.accept(length, pairs_);
  products_ = leader_.products();
  base_energy_ = leader_.energy();
  if (length <= 0) co_return;
  add_newest(products_, step_change_);
  // Without curvature along the step nothing is known about it.
  if (step_change_[0][0] <=
      least_curvature * std::sqrt(products_.step_square * products_.change_square))
    pairs_ = 0;
}

}  // namespace fg::ab_initio
