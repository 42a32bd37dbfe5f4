// SPDX-License-Identifier: BSD-3-Clause
//
// Brings orbitals to the ground state: gives orders to all of them, and decides by the sums that
// come back. The energy of all orbitals is minimised at once by L-BFGS (or, to compare with it, by
// conjugate gradients or steepest descent), with steps of length 1 in
// units of a preconditioner that knows the energies of the orbitals: the gradient of orbital i is
// divided by G^2/2 + d + e_top - e_i. A direction d has no part in the space of the orbitals, so
// those at length l are (psi + l d) (1 + l^2 <d|d>)^(-1/2).
// Sources: Nocedal and Wright, Numerical Optimization (2006), chapter 7; for the orbitals:
// Head-Gordon and Pople, J. Phys. Chem. 92, 3063 (1988), and VandeVondele and Hutter, J. Chem.
// Phys. 118, 4365 (2003).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "ab_initio/density.hpp"
#include "ab_initio/ground_state.hpp"
#include "ab_initio/ion_places.hpp"
#include "ab_initio/job.hpp"
#include "ab_initio/messages.hpp"
#include "ab_initio/orbitals.hpp"
#include "ab_initio/search_memory.hpp"
#include "ab_initio/search_state.hpp"
#include "runtime/runtime.hpp"

namespace fg::ab_initio {

class Minimiser final : public Chare<Minimiser, 1> {
 public:
  static constexpr std::string_view array_name = "minimiser";

  explicit Minimiser(std::shared_ptr<const Setup> setup);

  Task life();
  /// All tagged with the number of the order.
  void orbital_sums(Ref<const ReductionMessage<double>> sums);
  void largest(Ref<const ReductionMessage<double>> sums);
  void density_sums(Ref<const ReductionMessage<double>> sums);
  void orbital_forces(Ref<const ReductionMessage<double>> sums);
  void density_forces(Ref<const ReductionMessage<double>> sums);

  /// After a run.
  const GroundState& result() const noexcept { return result_; }
  /// Whether the run has ended only to be kept, and the next one goes on.
  bool paused() const noexcept { return paused_; }
  SearchState state() const;
  const IonPlaces& ions() const noexcept { return ions_; }

  void search_products(Ref<const ReductionMessage<double>> sums);
  void largest_spread(double value) { spread_ = value; }

 private:
  Task prepare();
  Task begin_with_atoms();
  Task begin_with(Order orbitals);
  void place_ions();
  Task go_on_from(SearchState state);
  Task evaluate(bool free_atoms = false);
  Task give(Order order, double length = 0);
  Task give_set(Order order, int set, int other = 0);
  Task choose_direction();
  Task search();
  Task accept(double length);
  Task add_forces();
  void begin_order(Order order, double length = 0);
  void set_direction(OrderMessage& order) const;
  Energies energies() const noexcept;
  bool converged() const noexcept;
  bool energy_is_known() const noexcept;
  void note_iteration();
  bool pauses();
  bool stops() const;
  /// The derivative of the energy along a direction over <gradient|direction>.
  double slope_factor() const noexcept;

  std::shared_ptr<const Setup> setup_;
  MinimiserKind kind_;
  IonPlaces ions_;
  std::int64_t orders_ = 0, density_orders_ = 0, evaluations_ = 0;
  double begin_ = 0;  // [s]
  bool paused_ = false;
  OrbitalSums orbitals_;  // of the last order
  OrbitalSums orbital_energies_;
  DensitySums density_;
  double residual_ = 0, spread_ = 0;
  double base_energy_ = 0, energy_ = 0;
  double slope_ = 0;          // along the direction, at its beginning: dE/dl / slope_factor
  double found_length_ = -1;  // of a search; negative: it has failed
  int pairs_ = 0;             // that are remembered
  int set_ = 0, other_ = 0;   // of atomic orbitals, in the next order
  bool free_atoms_ = false;   // in the next order
  SearchProducts products_;
  double last_length_ = 0, last_steepness_ = 0;  // before the newest pair
  StepChange step_change_{};
  std::vector<double> orbital_force_numbers_, density_force_numbers_;
  GroundState result_;
};

}  // namespace fg::ab_initio
