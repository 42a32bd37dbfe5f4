// SPDX-License-Identifier: BSD-3-Clause
//
// Born-Oppenheimer dynamics: ions move by velocity Verlet with the forces of the ground state at
// each step. A search begins with orbitals that are extrapolated from those of steps before
// (electrons/predictor.hpp). These need no turns towards each other: a search moves orbitals only
// out of their space, and S^(-1/2) makes the least change that gives orthonormal ones.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "ab_initio/dynamics_state.hpp"
#include "ab_initio/dynamics_step.hpp"
#include "ab_initio/ion_motion.hpp"
#include "ab_initio/messages.hpp"
#include "runtime/task.hpp"

namespace fg::ab_initio {

class Leader;
struct Setup;

class BornOppenheimer {
 public:
  /// Of the chare that it is a part of.
  BornOppenheimer(Leader& leader, std::shared_ptr<const Setup> setup);

  ChareBase& chare() const noexcept;

  /// From the ground state, or on from where it has ended, to the last step of the job. Throws
  /// NumericsError if a search does not come to its end.
  Task run(bool goes_on);

  /// Before a run that goes on: as the run was that has kept this state and its orbitals, with the
  /// ions at its positions.
  Task resume(DynamicsState state);
  /// Nothing before the first step.
  std::optional<DynamicsState> state() const;
  /// The next run begins anew.
  void forget() noexcept { has_begun_ = paused_ = false; }

  /// Whether the run has ended only to be kept, and the next one goes on.
  bool paused() const noexcept { return paused_; }
  bool stopped() const noexcept { return stopped_; }

 private:
  Task begin();
  Task move();
  Ref<OrderMessage> prediction() const;
  Task remember();
  void report();

  Leader& leader_;
  std::shared_ptr<const Setup> setup_;
  double begin_ = 0;  // [s]
  bool paused_ = false, stopped_ = false, has_begun_ = false;
  DynamicsStep step_;
  std::optional<IonMotion> ions_;
  int remembered_ = 0;  // steps
};

}  // namespace fg::ab_initio
