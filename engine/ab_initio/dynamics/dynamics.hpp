// SPDX-License-Identifier: BSD-3-Clause
//
// A dynamics: steps from the ground state to the last one of the job. Here is what every kind of
// dynamics does. It pauses and stops, moves the ions, reports, and keeps the state from which a run
// continues. The kinds say how a step is made (car_parrinello.hpp, born_oppenheimer.hpp).
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "ab_initio/ions/ion_motion.hpp"
#include "ab_initio/orders/dynamics_state.hpp"
#include "ab_initio/orders/orders.hpp"
#include "ab_initio/results/dynamics_step.hpp"
#include "base/error.hpp"
#include "runtime/task.hpp"

namespace fg::ab_initio {

class Leader;
class Minimiser;
struct RunSetup;

class Dynamics {
 public:
  /// `leader` is the chare that it is a part of; `search` finds ground states.
  Dynamics(Leader& leader, Minimiser& search, std::shared_ptr<const RunSetup> setup);
  virtual ~Dynamics() = default;
  Dynamics(const Dynamics&) = delete;
  Dynamics& operator=(const Dynamics&) = delete;

  ChareBase& chare() const noexcept;

  /// Makes all steps from the ground state, or from where it has ended, to the last step of the
  /// job. Throws NumericsError if a step cannot be made.
  Task run(bool goes_on);

  /// Called before a run that goes on. Restores the run that has kept this state and its orbitals,
  /// with the ions at its positions.
  Task resume(DynamicsState state);
  /// There is none before the first step.
  std::optional<DynamicsState> state() const;
  /// The next run begins from the start.
  void forget() noexcept { has_begun_ = paused_ = false; }

  /// Whether the run has ended only to be kept, and the next one goes on.
  bool paused() const noexcept { return paused_; }
  bool stopped() const noexcept { return stopped_; }
  /// Why the run has ended before its last step without a request to stop. The state is whole, but
  /// no further step can be made.
  const std::optional<ErrorParts>& broken_off() const noexcept { return broken_off_; }

 protected:
  /// Makes the next step: its number and time are already those of step().
  virtual Task move() = 0;
  /// Called before the first step, which is the ground state. Forces on moving ions are known.
  virtual Task begin_orbitals() = 0;
  /// Restores the orbitals and all that follows from them, after the ions have been restored.
  virtual Task restore_orbitals(DynamicsState state) = 0;
  /// Called after the last step.
  virtual Task end() = 0;
  /// Adds what the kind knows besides.
  virtual void add_to(DynamicsState& state) const = 0;
  virtual void add_to(DynamicsStep& step) const = 0;

  /// The ions go to the positions of this step, and after an evaluation their velocities follow.
  /// Nothing is done if the ions rest.
  void move_ions();
  Task kick_ions();

  Leader& leader() const noexcept { return leader_; }
  Minimiser& search() const noexcept { return search_; }
  const RunSetup& setup() const noexcept { return *setup_; }
  const DynamicsSettings& settings() const noexcept;
  DynamicsStep& step() noexcept { return step_; }
  const DynamicsStep& step() const noexcept { return step_; }
  bool ions_move() const noexcept { return ions_.has_value(); }
  /// Whether the forces of a step come with stress: a cell that moves needs it.
  Stress stress() const noexcept;

 private:
  Task begin();
  bool pauses_for_memory() const;
  /// Throws NumericsError if the run has gone wrong (dynamics_limits.hpp).
  void report();
  void report_cell();
  void check_cell();

  Leader& leader_;
  Minimiser& search_;
  std::shared_ptr<const RunSetup> setup_;
  double begin_ = 0;  // [s]
  bool paused_ = false, stopped_ = false, has_begun_ = false;
  std::optional<ErrorParts> broken_off_;
  DynamicsStep step_;
  std::optional<IonMotion> ions_;  // unless they rest
  std::vector<Vec3> before_;       // positions, before a step
};

/// The kind that the job asks for; null if it asks for none.
std::unique_ptr<Dynamics> make_dynamics(Leader& leader, Minimiser& search,
                                        const std::shared_ptr<const RunSetup>& setup);

}  // namespace fg::ab_initio
