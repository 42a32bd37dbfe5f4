// SPDX-License-Identifier: BSD-3-Clause
//
// Born-Oppenheimer dynamics: ions move by velocity Verlet with the forces of the ground state at
// each step. A search begins with orbitals that are extrapolated from those of steps before
// (electrons/orbitals/predictor.hpp). The orbitals of these steps need no turns towards each other.
// The reason: a search moves orbitals only out of their space, and S^(-1/2) makes the least change
// that gives orthonormal ones.
#pragma once

#include <vector>

#include "ab_initio/dynamics/dynamics.hpp"

namespace fg::ab_initio {

class BornOppenheimer final : public Dynamics {
 public:
  using Dynamics::Dynamics;

 private:
  Task move() override;
  Task begin_orbitals() override;
  Task restore_orbitals(DynamicsState state) override;
  Task end() override;
  void add_to(DynamicsState& state) const override;
  void add_to(DynamicsStep& step) const override;

  std::vector<double> prediction() const;
  Task remember();

  int remembered_ = 0;  // steps
};

}  // namespace fg::ab_initio
