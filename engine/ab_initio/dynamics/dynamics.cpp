// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/dynamics/dynamics.hpp"

#include <string>
#include <utility>
#include <vector>

#include "ab_initio/dynamics/born_oppenheimer.hpp"
#include "ab_initio/dynamics/car_parrinello.hpp"
#include "ab_initio/leader/leader.hpp"
#include "ab_initio/leader/minimiser.hpp"
#include "ab_initio/leader/setups.hpp"
#include "ab_initio/results/dynamics_limits.hpp"
#include "base/shown.hpp"
#include "processes/ranks.hpp"

namespace fg::ab_initio {

namespace {

/// The share that may be used of the way from the cell of the start to the end of the tables.
constexpr double enough_room = 0.9;

}  // namespace

Dynamics::Dynamics(Leader& leader, Minimiser& search, std::shared_ptr<const RunSetup> setup)
    : leader_(leader), search_(search), setup_(std::move(setup)) {}

ChareBase& Dynamics::chare() const noexcept {
  return leader_;
}

const DynamicsSettings& Dynamics::settings() const noexcept {
  return setup_->job->dynamics;
}

Task Dynamics::run(bool goes_on) {
  if (!goes_on) co_await begin();
  stopped_ = paused_ = false;
  broken_off_.reset();
  check_cell();
  while (step_.number < settings().steps && !broken_off_) {
    stopped_ = leader_.is_stopped(step_.number);
    if (stopped_) break;
    // One on disk that is wanted at the same step waits for the next one.
    paused_ = pauses_for_memory() || leader_.checkpoint_wanted();
    if (paused_) break;
    ++step_.number;
    step_.time += settings().timestep;
    try {
      co_await move();
    } catch (const Error& error) {
      // Also of input: ions that have come to the same place.
      if (error.kind() != ErrorKind::numerics && error.kind() != ErrorKind::input) throw;
      throw at_step(error, step_.number, *setup_->job, leader_.ions().positions());
    }
    check_cell();
    if (is_due(settings(), step_.number)) report();
  }
  co_await end();
}

/// Whether the state of this step is to be kept in memory.
bool Dynamics::pauses_for_memory() const {
  MemoryTurns& memory = *setup_->memory;
  // The row of the last state is needed too.
  const std::int64_t written = setup_->progress->written_before.load(std::memory_order_relaxed);
  if (!memory.due(step_.number, written - 1)) return false;
  memory.start(step_.number);
  return true;
}

/// Step 0 is the ground state that has been found.
Task Dynamics::begin() {
  begin_ = seconds_now(setup_->transport);
  step_ = {};
  ions_.reset();
  if (!settings().ions_rest) {
    ions_.emplace(*setup_->job);
    ions_->begin(leader_.ions().positions());
    co_await leader_.find_forces(stress());
  }
  step_.residual = leader_.result().residual();
  co_await begin_orbitals();
  has_begun_ = true;
  // Should the program fail, the search need not be made again.
  if (leader_.has_companion()) setup_->progress->checkpoint_wanted = true;
  report();
}

Task Dynamics::resume(DynamicsState state) {
  begin_ = seconds_now(setup_->transport) - state.seconds;
  step_ = {};
  step_.number = state.step;
  step_.time = state.time;
  step_.conserved_at_start = state.conserved_at_start;
  ions_.reset();
  if (!settings().ions_rest) {
    ions_.emplace(*setup_->job);
    ions_->restore(state.positions, state.velocities, state.ion_bath);
    ions_->restore_cell(state.cell, state.cell_motion);
  }
  co_await restore_orbitals(std::move(state));
  has_begun_ = true;
}

std::optional<DynamicsState> Dynamics::state() const {
  if (!has_begun_) return std::nullopt;
  DynamicsState state{.step = step_.number,
                      .time = step_.time,
                      .seconds = seconds_now(setup_->transport) - begin_,
                      .conserved_at_start = step_.conserved_at_start.value_or(0),
                      .positions = leader_.ions().positions(),
                      .cell = leader_.ions().cell()};
  if (ions_) {
    state.velocities = ions_->velocities();
    state.ion_bath = ions_->bath_state();
    if (const CellMotion* cell = ions_->moving_cell()) state.cell_motion = cell->state();
  }
  add_to(state);
  return state;
}

void Dynamics::move_ions() {
  if (!ions_) return;
  before_ = ions_->positions();
  ions_->move(step_.number - 1, leader_.forces(), leader_.virial());
  check_moves(*setup_->job, before_, ions_->positions(), step_.number);
  try {
    leader_.place(ions_->positions(), ions_->cell());
  } catch (const InputError& error) {
    // Not the input's fault: it comes of the motion.
    if (!moves_cell(settings())) throw;
    ErrorParts parts = error.parts();
    parts.hint =
        "a shorter time step, a heavier cell or less pressure; a checkpoint before this "
        "step can be continued";
    throw NumericsError(parts);
  }
}

Task Dynamics::kick_ions() {
  if (!ions_) co_return;
  co_await leader_.find_forces(stress());
  check_forces(*setup_->job, leader_.forces(), step_.number);
  ions_->kick(step_.number - 1, leader_.forces(), leader_.virial());
}

Stress Dynamics::stress() const noexcept {
  return moves_cell(settings()) ? Stress::found : Stress::left_out;
}

/// A little before the tables end, so that the state of this step can still be used.
void Dynamics::check_cell() {
  if (!moves_cell(settings())) return;
  const double stretch = leader_.ions().stretch(), limit = leader_.ions().most_stretch();
  if (stretch <= 1 + enough_room * (limit - 1)) return;
  broken_off_ = {
      .what = "the cell has become too small for the tables of its pseudopotentials",
      .where = name_of_step(step_.number),
      .value = "waves " + shown(stretch, 4) + " times as long as at the start",
      .limit = shown(1 + enough_room * (limit - 1), 4) + " times",
      .hint =
          "make a new job from the last frame, or look at the pressure and the mass of the "
          "cell; the state of this step has been kept"};
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
  report_cell();
  add_to(step_);
  if (step_.number == 0) step_.conserved_at_start = step_.conserved();
  DynamicsStep reported = step_;
  if (has_frame(settings(), step_.number)) {
    reported.positions = leader_.ions().positions();
    reported.velocities =
        ions_ ? ions_->velocities() : std::vector<Vec3>(reported.positions.size());
    reported.forces = leader_.forces();
    reported.forces.resize(reported.positions.size());
  }
  setup_->progress->push(std::move(reported));
  // Its row is still written.
  check_conserved_energy(step_, step_.conserved_at_start, setup_->job->ions());
}

void Dynamics::report_cell() {
  step_.cell = leader_.ions().cell();
  const CellMotion* cell = ions_ ? ions_->moving_cell() : nullptr;
  if (!cell) return;
  step_.pressure = ions_->pressure(leader_.virial());
  step_.cell_kinetic = cell->kinetic_energy();
  step_.cell_work = cell->work();
  step_.bath += cell->heat();
}

std::unique_ptr<Dynamics> make_dynamics(Leader& leader, Minimiser& search,
                                        const std::shared_ptr<const RunSetup>& setup) {
  switch (setup->job->dynamics.kind) {
    case DynamicsKind::car_parrinello:
      return std::make_unique<CarParrinello>(leader, search, setup);
    case DynamicsKind::born_oppenheimer:
      return std::make_unique<BornOppenheimer>(leader, search, setup);
    case DynamicsKind::none:
      break;
  }
  return nullptr;
}

}  // namespace fg::ab_initio
