// SPDX-License-Identifier: BSD-3-Clause
//
// A part of the density whose potential follows it: exchange and correlation, with its gradient,
// Hartree and local potential. It is a list of one density of all electrons, or of the densities of
// spin up and down, which share each transform.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "ab_initio/density/density.hpp"
#include "electrons/ions/ion_field.hpp"
#include "electrons/splines/spline_field.hpp"

namespace fg::ab_initio {

class SelfConsistentDensity final : public Density {
 public:
  explicit SelfConsistentDensity(std::shared_ptr<const DensitySetup> setup);

  Waves waves() const override { return rho(); }
  PotentialOfPart potential() const override;

 private:
  Task begin() override;
  Task place_ions(Ref<const PlaceOrder> order) override;
  Task find_potential(bool free_atoms) override;
  Task find_forces(Stress stress) override;

  bool has_spin() const noexcept { return spins_.size() == 2; }
  const Waves& rho() const noexcept { return rho_.back(); }
  Task find_screening();
  void make_ion_tables();
  Task find_density(bool free_atoms);
  void add_up_spins();
  void add_up_potentials();
  Task send_potentials();
  void add_up_virial(const Waves& core_potential);
  // Exchange and correlation (exchange_and_correlation.cpp).
  Task exchange_and_correlation();
  Task find_gradients();
  void evaluate_functional();
  void evaluate_functional_of_all();
  void evaluate_functional_of_spins();
  Task find_xc_potentials();
  /// The potential that model cores feel.
  Waves core_potential() const;
  // By splines (density_ions.cpp).
  std::span<const Vec3> positions() const noexcept { return positions_of(*placed_); }
  void make_ion_splines();
  Task write_by_splines(electrons::SplineFieldShare* ions, Waves* field);
  void scatter_ions(const electrons::SplineFieldShare& ions, std::size_t pair);
  std::size_t ion_points() const noexcept;
  void charge_ion_waves() const;
  /// Adds to forces_ and virial_.
  Task add_by_splines(const electrons::SplineFieldShare* ions, const Waves* partner);

  /// All electrons, or those of one spin.
  struct OfSpin {
    Points with_core, by_density;
    std::array<Points, 3> gradient;  // then the flow
    Waves rho_with_core, xc_potential, potential;
    std::array<Waves, 3> flux;
  };

  std::vector<double> screening_;  // of a molecule without images
  // The last order to place the ions, with their positions.
  Ref<const PlaceOrder> placed_;
  electrons::IonField local_field_, core_field_;
  std::optional<electrons::SplineFieldShare> local_splines_, core_splines_;
  std::int64_t ion_transforms_ = 0;  // counted over all runs
  Waves local_, core_, hartree_;
  std::vector<Waves> rho_;  // up, down and both; one without spin
  std::vector<OfSpin> spins_;
  Points energy_;
  // The products of gradients, and derivatives by them: up up, up down, down down; without spin the
  // first.
  std::array<Points, 3> sigma_, by_sigma_;
  Virial products_{};
  DensitySums sums_;
  bool finds_virial_ = false;  // the present order wants one
  std::vector<Vec3> forces_;
  Virial virial_{};
};

}  // namespace fg::ab_initio
