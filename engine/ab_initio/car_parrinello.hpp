// SPDX-License-Identifier: BSD-3-Clause
//
// Car-Parrinello dynamics: decides, step by step, what the leader orders. Orbitals of norm 1 and
// occupation f move by m c'' = -f H c + constraints, with the kinetic energy sum of <c'|m|c'>
// (electrons/fictitious_mass.hpp), by velocity Verlet.
//
// Constrained: the positions of a step are made orthonormal by forces of constraint
// (electrons/orthonormality_forces.hpp). Velocities v at a full step are kept without the part p Y
// that the constraint of velocities adds: as the same combination of p, it is in the X of the next
// step, so positions are those of RATTLE. Only the kinetic energy needs Y.
// Source: Tuckerman and Parrinello, J. Chem. Phys. 101, 1302 (1994).
//
// Free: chi moves without constraints, E is that of psi = chi S^(-1/2), S = <chi|chi>, and its
// force -f (H psi - psi <psi|H|psi>) S^(-1/2). When a component of S - 1 is above a limit psi and
// its velocity take the place of chi and its velocity. Source: Hutter, Tuckerman and Parrinello, J.
// Chem. Phys. 102, 859 (1995).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "ab_initio/dynamics_state.hpp"
#include "ab_initio/dynamics_step.hpp"
#include "ab_initio/ion_motion.hpp"
#include "ab_initio/messages.hpp"
#include "motion/nose_hoover.hpp"
#include "runtime/task.hpp"

namespace fg::ab_initio {

class Leader;
struct Setup;

class CarParrinello {
 public:
  /// Of the chare that it is a part of.
  CarParrinello(Leader& leader, std::shared_ptr<const Setup> setup);

  ChareBase& chare() const noexcept;

  /// From the ground state, or on from where it has ended, to the last step of the job.
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
  Task find_free_force(bool orthonormal);
  Task find_kinetic_energy();
  void act_of_bath();
  void report();
  Ref<OrderMessage> timed(Order order) const;
  bool is_free() const noexcept;

  Leader& leader_;
  std::shared_ptr<const Setup> setup_;
  double begin_ = 0;  // [s]
  bool paused_ = false, stopped_ = false, has_begun_ = false;
  DynamicsStep step_;
  std::optional<IonMotion> ions_;  // unless they rest
  std::optional<NoseHooverChain> bath_;
  double velocity_scale_ = 1;  // by the bath, of the velocities of the orbitals, at the next order
};

}  // namespace fg::ab_initio
