// SPDX-License-Identifier: BSD-3-Clause
//
// The search for the ground state decides, by the sums that come back, what the leader orders next.
// The energy of all orbitals is minimised at once by L-BFGS (or, to compare with it, by conjugate
// gradients or steepest descent).
//
// Steps have length 1 in units of a preconditioner that knows the energies of the orbitals. It
// divides the gradient of orbital i by G^2/2 + d + e_top - e_i. A direction d has no part in the
// space of the orbitals. So the orbitals at length l are (psi + l d) (1 + l^2 <d|d>)^(-1/2).
//
// Sources: Nocedal and Wright, Numerical Optimization (2006), chapter 7; for the orbitals:
// Head-Gordon and Pople, J. Phys. Chem. 92, 3063 (1988), and VandeVondele and Hutter, J. Chem.
// Phys. 118, 4365 (2003).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ab_initio/job/job.hpp"
#include "ab_initio/leader/past_geometries.hpp"
#include "ab_initio/orbitals/search_memory.hpp"
#include "ab_initio/orbitals/search_state.hpp"
#include "ab_initio/orders/orders.hpp"
#include "ab_initio/results/ground_state.hpp"
#include "runtime/task.hpp"

namespace fg::ab_initio {

class Leader;
struct RunSetup;

class Minimiser {
 public:
  /// `leader` is the chare that it is a part of.
  Minimiser(Leader& leader, std::shared_ptr<const RunSetup> setup);

  ChareBase& chare() const noexcept;

  /// A search from its beginning, or on from where it has paused.
  Task find(bool goes_on);

  /// Used in a step of a dynamics. Searches to the end, from orbitals that are predicted by these
  /// shares of remembered ones. Its iterations are not reported.
  Task find_from(std::vector<double> shares);

  /// Called after a search, if the next one may be at other positions.
  Task remember_geometry();

  const std::vector<Iteration>& history() const noexcept { return history_; }
  bool converged() const noexcept { return converged_; }
  bool stopped() const noexcept { return stopped_; }
  bool paused() const noexcept { return paused_; }
  SearchState state() const;

 private:
  Task iterate();
  Task prepare();
  Task recall();
  Task begin_with_atoms();
  Task begin_with_stored(int pairs);
  Task go_on_from(SearchState state);
  Task evaluate(bool free_atoms = false);
  Task find_direction();
  Task choose_direction();
  Task search();
  Task accept(double length);
  SearchDirection next_direction() const;
  bool has_converged() const noexcept;
  bool energy_is_known() const noexcept;
  void note_iteration();
  /// The derivative of the energy along a direction over <gradient|direction>.
  double slope_factor() const noexcept;

  Leader& leader_;
  std::shared_ptr<const RunSetup> setup_;
  MinimiserKind kind_;
  double begin_ = 0;  // [s]
  bool of_dynamics_ = false;
  bool converged_ = false, stopped_ = false, paused_ = false;
  double base_energy_ = 0;
  double slope_ = 0;          // along the direction, at its beginning: dE/dl / slope_factor
  double found_length_ = -1;  // of a search; negative: it has failed
  int pairs_ = 0;             // that are remembered
  SearchProducts products_;
  double last_length_ = 0, last_steepness_ = 0;  // before the newest pair
  StepChange step_change_{};
  std::vector<Iteration> history_;
  PastGeometries past_;
};

}  // namespace fg::ab_initio
