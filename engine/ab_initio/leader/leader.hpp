// SPDX-License-Identifier: BSD-3-Clause
//
// Gives orders to all objects of an ab initio run, one after the other, and collects the sums that
// come back. What is ordered is decided by objects that belong to it: the search for the ground
// state, and a dynamics.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "ab_initio/density/density.hpp"
#include "ab_initio/dynamics/dynamics.hpp"
#include "ab_initio/ions/ion_dispersion.hpp"
#include "ab_initio/ions/ion_places.hpp"
#include "ab_initio/leader/minimiser.hpp"
#include "ab_initio/leader/past_geometries.hpp"
#include "ab_initio/orbitals/orbitals.hpp"
#include "ab_initio/orbitals/search_memory.hpp"
#include "ab_initio/orders/messages.hpp"
#include "ab_initio/results/ground_state.hpp"
#include "base/virial.hpp"
#include "runtime/runtime.hpp"

namespace fg::ab_initio {

class Leader final : public Chare<Leader, 1> {
 public:
  static constexpr std::string_view array_name = "leader";

  explicit Leader(std::shared_ptr<const Setup> setup);

  /// A run, or the next part of one that has paused: the ground state, then the dynamics of the
  /// job.
  Task life();
  /// All these are tagged with the number of the order.
  void orbital_sums(Ref<const ReductionMessage<double>> sums);
  void largest(Ref<const ReductionMessage<double>> sums);
  void density_sums(Ref<const ReductionMessage<double>> sums);
  void orbital_forces(Ref<const ReductionMessage<double>> sums);
  void density_forces(Ref<const ReductionMessage<double>> sums);
  void search_products(Ref<const ReductionMessage<double>> sums);
  void largest_spread(double value) { spread_ = value; }
  void motion_report(Ref<const MotionReport> report) { motion_ = std::move(report); }
  void orbital_energies(Ref<const OrbitalEnergiesMessage> energies);
  /// The leader sends it to itself, to let others work in between.
  void look_again(double) {}

  /// The result after a run.
  const GroundState& result() const noexcept { return result_; }
  /// Whether the run has ended only to be kept, and the next one goes on.
  bool paused() const noexcept { return paused_; }
  /// Whether it has paused because a dynamics wants to know the empty orbitals of its ground state.
  bool wants_empty_orbitals() const noexcept { return wants_empty_; }
  SearchState state() const;
  /// There is none before the first step of a dynamics.
  std::optional<DynamicsState> dynamics_state() const;

  // For the objects that decide.

  /// An order that can be filled in.
  static Ref<OrderMessage> make(Order order);
  /// Gives an order and awaits its sums.
  Task give(Ref<OrderMessage> order);
  Task give(Order order) { return give(make(order)); }
  /// Ions go to these positions; an evaluation may follow at once, and has to before they go on.
  /// Throws as IonPlaces::place does.
  void place(std::span<const Vec3> positions) { place(positions, ions_.cell()); }
  void place(std::span<const Vec3> positions, const electrons::Lattice& cell);
  const IonPlaces& ions() const noexcept { return ions_; }
  /// Also finds the energies. Throws NumericsError, which names the iteration unless it is below 0,
  /// if they are not numbers.
  Task evaluate(bool free_atoms, std::int64_t iteration);
  Minimiser& search() noexcept { return minimiser_; }
  /// Orbitals for a search at the present positions, from those of searches before.
  Ref<OrderMessage> orbitals_of_before() const;
  /// The sums of the last order that has such sums.
  const OrbitalSums& orbitals() const noexcept { return orbitals_; }
  double residual() const noexcept { return residual_; }
  double spread() const noexcept { return spread_; }
  const MotionReport& motion() const noexcept { return *motion_; }
  /// Asks for the eigenvalues of the last gradient.
  Task find_eigenvalues();
  /// They rise for each spin.
  const std::vector<double>& eigenvalues() const noexcept { return eigenvalues_; }
  const SearchProducts& products() const noexcept { return products_; }
  /// The energies of the last evaluation.
  Energies energies() const noexcept;
  double energy() const noexcept { return energy_; }
  /// Finds forces on ions, and, if it is not left out, stress.
  Task find_forces(Stress stress);
  const std::vector<Vec3>& forces() const noexcept { return result_.forces; }
  /// Minus the derivative of the energy by the strain [hartree], if it was not left out.
  const Virial& virial() const noexcept { return virial_; }
  /// Whether a dynamics follows the ground state.
  bool moves() const noexcept;
  /// Whether all shall end early, as asked for.
  bool is_stopped(std::int64_t number) const;
  /// Whether a program beside the run has a part in each step.
  bool has_companion() const noexcept { return dispersion_ && dispersion_->has_companion(); }
  /// Whether a checkpoint is wanted: true once for each time.
  bool checkpoint_wanted() const;

 private:
  Task resume();
  Task remember_geometry();
  bool needs_gap() const noexcept;
  Task await_dispersion();
  void take_net_force();
  void add_dispersion();
  void send(Ref<OrderMessage> order);

  std::shared_ptr<const Setup> setup_;
  IonPlaces ions_;
  std::optional<IonDispersion> dispersion_;  // none: the job has none
  Minimiser minimiser_;
  PastGeometries past_;
  std::unique_ptr<Dynamics> dynamics_;  // null: the job has none
  // To all, to the density, to the matrices, to evaluate.
  std::int64_t orders_ = 0, density_orders_ = 0, matrix_orders_ = 0, evaluations_ = 0;
  std::int64_t looks_ = 0;  // for the dispersion
  bool paused_ = false, wants_empty_ = false;
  OrbitalSums orbitals_, orbital_energies_;
  DensitySums density_;
  double residual_ = 0, spread_ = 0, energy_ = 0;
  SearchProducts products_;
  Ref<const MotionReport> motion_;
  std::vector<double> eigenvalues_;
  std::vector<double> orbital_force_numbers_, density_force_numbers_;
  Virial virial_{};
  GroundState result_;
};

}  // namespace fg::ab_initio
