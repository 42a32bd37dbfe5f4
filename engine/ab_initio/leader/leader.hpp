// SPDX-License-Identifier: BSD-3-Clause
//
// Gives orders to all objects of an ab initio run, one after the other, and collects the sums that
// come back. What is ordered is decided by an object that belongs to it (dynamics/course.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "ab_initio/density/density.hpp"
#include "ab_initio/ions/ion_dispersion.hpp"
#include "ab_initio/ions/ion_places.hpp"
#include "ab_initio/orbitals/orbitals.hpp"
#include "ab_initio/orbitals/search_memory.hpp"
#include "ab_initio/orders/messages.hpp"
#include "ab_initio/orders/orders.hpp"
#include "ab_initio/results/ground_state.hpp"
#include "base/virial.hpp"
#include "runtime/runtime.hpp"

namespace fg::ab_initio {

struct LeaderSetup;

/// Decides what the leader orders in a run.
class Decider {
 public:
  virtual ~Decider() = default;
  virtual Task run() = 0;
};

class Leader final : public Chare<Leader, 1> {
 public:
  static constexpr std::string_view array_name = "leader";

  explicit Leader(std::shared_ptr<const LeaderSetup> setup);

  /// Called before the first run.
  void follow(std::unique_ptr<Decider> decider) noexcept { decider_ = std::move(decider); }
  Task life() { return decider_->run(); }
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

  /// The result after a run; forces and stress of an evaluation are put into it.
  const GroundState& result() const noexcept { return result_; }
  GroundState& result() noexcept { return result_; }

  // For the objects that decide.

  // Each of these gives an order (orders/orders.hpp, leader_orders.cpp) and awaits its answers.
  Task random();
  Task last();
  Task stored(int pairs);
  Task atomic(int set);
  Task keep();
  Task subspace(int set, int other);
  Task combine(int set);
  Task orthonormalise();
  Task turn();
  Task gradient();
  Task accept(double length, int pairs);
  Task direction(const SearchDirection& direction);
  Task step(double length);
  Task remember();
  Task predict(std::span<const double> shares);
  Task resume(int past);
  Task rest();
  Task drift(std::int64_t step, double timestep, double velocity_scale);
  Task free_drift(std::int64_t step, double timestep, double velocity_scale);
  Task free_force(std::int64_t step, bool orthonormal);
  Task kick(double timestep);
  Task project(std::int64_t step);
  Task reset(std::int64_t step);

  /// Ions go to these positions; an evaluation may follow at once, and has to before they go on.
  /// Throws as IonPlaces::place does.
  void place(std::span<const Vec3> positions) { place(positions, ions_.cell()); }
  void place(std::span<const Vec3> positions, const electrons::Lattice& cell);
  const IonPlaces& ions() const noexcept { return ions_; }
  /// Also finds the energies. Throws NumericsError, which names the iteration unless it is below 0,
  /// if they are not numbers.
  Task evaluate(bool free_atoms, std::int64_t iteration);
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
  /// Adds to the result what is known of the last evaluation, and finds its forces and stress.
  Task complete_result();
  /// Ends the lives of all objects until the next run.
  void end_lives();
  /// Whether all shall end early, as asked for.
  bool is_stopped(std::int64_t number) const;
  /// Whether a program beside the run has a part in each step.
  bool has_companion() const noexcept { return dispersion_ && dispersion_->has_companion(); }
  /// Whether a checkpoint is wanted: true once for each time.
  bool checkpoint_wanted() const;

 private:
  Task await_dispersion();
  void take_net_force();
  void tell_places(std::int64_t density_order, Ref<const PlaceOrder> order,
                   bool in_another_cell) const;
  void add_dispersion();

  // The other orders.
  Task find_potential(bool free_atoms);
  Task sum_forces(Stress stress);
  void finish();

  template <class Order>
  Ref<Order> make(std::size_t trailing_bytes = 0) const;
  template <class Order>
  Ref<Order> make_at(std::int64_t step) const;
  template <auto Entry, class Order>
  void to_orbitals(const Order& order) const;
  template <auto Entry, class... Order>
  void to_matrices(const Order&... order);
  template <auto Entry, class... Order>
  void to_density(const Order&... order);
  template <auto... Others>
  Task answers();
  template <auto Tiles, auto Vectors>
  Task drift_by(std::int64_t step, double timestep, double velocity_scale);

  std::shared_ptr<const LeaderSetup> setup_;
  std::unique_ptr<Decider> decider_;
  IonPlaces ions_;
  std::optional<IonDispersion> dispersion_;  // none: the job has none
  // To all, to the density, to the matrices, to evaluate.
  std::int64_t orders_ = 0, density_orders_ = 0, matrix_orders_ = 0, evaluations_ = 0;
  std::int64_t looks_ = 0;  // for the dispersion
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
