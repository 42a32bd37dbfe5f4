// SPDX-License-Identifier: BSD-3-Clause
//
// Car-Parrinello dynamics: decides, step by step, what the leader orders. Orbitals have norm 1 and
// occupation f, and move by velocity Verlet:
//   m c'' = -f H c + constraints,  with the kinetic energy sum of <c'|m|c'>
// (electrons/waves/fictitious_mass.hpp).
//
// Constrained: the positions of a step are made orthonormal by forces of constraint
// (electrons/matrices/orthonormality_forces.hpp). The constraint of velocities adds a part p Y to
// the velocities. Velocities v at a full step are kept without it. The same combination of p is in
// the X of the next step. So positions are those of RATTLE. Only the kinetic energy needs Y.
// Source: Tuckerman and Parrinello, J. Chem. Phys. 101, 1302 (1994).
//
// Free: chi moves without constraints. The energy E is that of psi = chi S^(-1/2), with S =
// <chi|chi>. The force on chi is -f (H psi - psi <psi|H|psi>) S^(-1/2). When a component of S - 1
// is above a limit, psi and its velocity take the place of chi and its velocity. Source: Hutter,
// Tuckerman and Parrinello, J. Chem. Phys. 102, 859 (1995).
//
// The velocity of psi lacks the part of the velocity of chi that changes no energy. This part has
// grown at the cost of the rest. A free chi moves straight on where psi goes round. With a norm r
// it turns slower by 1/r^2. So the velocities are scaled to the kinetic energy that they had. One
// orbital among waves of one mass then has exactly the speed that it would have had under a
// constraint.
#pragma once

#include <optional>

#include "ab_initio/dynamics/dynamics.hpp"
#include "ab_initio/motion/nose_hoover.hpp"

namespace fg::ab_initio {

class CarParrinello final : public Dynamics {
 public:
  using Dynamics::Dynamics;

 private:
  Task move() override;
  Task begin_orbitals() override;
  /// Energies, forces and, of free orbitals, the square root of their overlaps follow from what is
  /// kept, to the same bits.
  Task restore_orbitals(DynamicsState state) override;
  /// Finds the energies of the last orbitals for the results, and how far they are from the ground
  /// state.
  Task end() override;
  void add_to(DynamicsState& state) const override;
  void add_to(DynamicsStep& step) const override;

  void make_bath();
  Task find_free_force(bool orthonormal);
  Task find_kinetic_energy();
  void give_back(double left);
  void act_of_bath();
  Task give_advice();
  bool is_free() const noexcept;

  std::optional<NoseHooverChain> bath_;
  double velocity_scale_ = 1;  // by bath and reset, of the orbitals' velocities, at the next drift
};

}  // namespace fg::ab_initio
