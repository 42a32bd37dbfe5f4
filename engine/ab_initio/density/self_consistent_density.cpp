// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/density/self_consistent_density.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ab_initio/density/setups.hpp"
#include "ab_initio/division/costs.hpp"
#include "ab_initio/orders/force_numbers.hpp"
#include "base/error.hpp"
#include "electrons/coulomb/hartree.hpp"
#include "electrons/coulomb/isolated_coulomb.hpp"
#include "electrons/exchange_correlation/density_gradient.hpp"
#include "runtime/simulated/simulated_time.hpp"

namespace fg::ab_initio {

namespace {

const Phase waves_phase{"density in waves"};
const Phase ions_phase{"ions: local potential and core"};
const Phase tables_phase{"ions: local potential and core in a new cell"};
const Phase forces_phase{"forces and stress of the density"};

}  // namespace

std::unique_ptr<Density> make_self_consistent_density(std::shared_ptr<const DensitySetup> setup) {
  return std::make_unique<SelfConsistentDensity>(std::move(setup));
}

SelfConsistentDensity::SelfConsistentDensity(std::shared_ptr<const DensitySetup> setup)
    : Density(std::move(setup)),
      local_field_(setup_->tables->local(plane_waves())),
      core_field_(setup_->tables->core(plane_waves())),
      rho_(2 * density_.size() - 1, Waves(waves_)),
      spins_(density_.size()) {
  energy_.resize(size_);
  for (Waves* waves : {&local_, &core_, &hartree_}) waves->resize(waves_);
  for (OfSpin& one : spins_) {
    for (Points* points : {&one.with_core, &one.by_density}) points->resize(size_);
    for (Waves* waves : {&one.rho_with_core, &one.xc_potential, &one.potential})
      waves->resize(waves_);
    if (!setup_->functional->uses_gradient()) continue;
    for (Points& points : one.gradient) points.resize(size_);
    for (Waves& waves : one.flux) waves.resize(waves_);
  }
  if (!setup_->functional->uses_gradient()) return;
  for (auto* products : {&sigma_, &by_sigma_})
    for (Points& one : std::span(*products).first(has_spin() ? 3 : 1)) one.resize(size_);
}

Task SelfConsistentDensity::begin() {
  if (setup_->job->isolated && screening_.empty()) co_await find_screening();
  if (setup_->ion_splines && !local_splines_) make_ion_splines();
}

/// Local potential and core of the ions at their new positions.
Task SelfConsistentDensity::place_ions(Ref<const PlaceOrder> order) {
  placed_ = std::move(order);
  if (plane_waves_.follow(placed_->cell)) make_ion_tables();
  if (local_splines_) {
    co_await write_by_splines(&*local_splines_, &local_);
    if (core_splines_) co_await write_by_splines(&*core_splines_, &core_);
    co_return;
  }
  charge(ions_phase, Work::ions, setup_->ion_costs.fields(waves_));
  const PhaseTimer timer(ions_phase);
  local_field_.write(positions(), local_);
  if (setup_->tables->has_core()) core_field_.write(positions(), core_);
}

/// Called in another cell than before. A molecule without images has one cell for ever.
void SelfConsistentDensity::make_ion_tables() {
  FG_CHECK(!setup_->job->isolated);
  charge(tables_phase, Work::ions, setup_->ion_costs.fields_in_new_cell(waves_));
  if (setup_->ion_splines) return make_ion_splines();
  const PhaseTimer timer(tables_phase);
  local_field_ = setup_->tables->local(plane_waves());
  core_field_ = setup_->tables->core(plane_waves());
}

/// What a molecule without images has instead of its images.
Task SelfConsistentDensity::find_screening() {
  const Job& job = *setup_->job;
  const electrons::IsolatedCoulomb coulomb(job.cell, 2 * job.largest_wave());
  coulomb.write_long_range(job.electrons.grid, setup_->basis->density_points(part()),
                           density_.front());
  DensityFields field;
  field.add(density_.front().data(), rho_.front().data());
  co_await to_waves(field);
  screening_.resize(waves_);
  coulomb.write_screening(plane_waves(), rho_.front(), screening_);
  if (setup_->ion_splines) co_return;
  local_field_ = setup_->tables->local(plane_waves(), screening_);
}

Task SelfConsistentDensity::find_potential(bool free_atoms) {
  co_await find_density(free_atoms);
  co_await exchange_and_correlation();
  add_up_potentials();
  setup_->density_energies.contribute(*this, number_, sums_.values());
  co_await send_potentials();
}

Task SelfConsistentDensity::find_density(bool free_atoms) {
  DensityFields fields;
  for (std::size_t s = 0; s < spins_.size(); ++s) fields.add(density_[s].data(), rho_[s].data());
  if (free_atoms) {
    for (std::size_t s = 0; s < spins_.size(); ++s)
      setup_->tables->free_atoms(plane_waves(), static_cast<int>(s)).write(positions(), rho_[s]);
    co_await to_points(fields);
  } else {
    // Without orbitals of spin down nothing arrives, and what free atoms had would stay.
    if (has_spin() && setup_->basis->spins() == 1)
      std::fill(density_[1].begin(), density_[1].end(), 0.0);
    co_await to_waves(fields);
  }
  if (has_spin()) add_up_spins();
}

void SelfConsistentDensity::add_up_spins() {
  const auto &up = density_[0], &down = density_[1];
  const double element = volume() / setup_->basis->grid_points();
  double absolute = 0;
  for (std::size_t i = 0; i < size_; ++i) absolute += std::abs(up[i] - down[i]);
  sums_.absolute_magnetization = absolute * element;
  for (std::size_t i = 0; i < waves_; ++i) rho_[2][i] = rho_[0][i] + rho_[1][i];
  sums_.magnetization = 0;
  if (plane_waves().zero() >= 0) {
    const auto zero = static_cast<std::size_t>(plane_waves().zero());
    sums_.magnetization = (rho_[0][zero] - rho_[1][zero]).real() * volume();
  }
}

/// Spins have the same potential but for exchange and correlation.
void SelfConsistentDensity::add_up_potentials() {
  const electrons::PlaneWaves& waves = plane_waves();
  const PhaseTimer timer(waves_phase);
  charge(Work::other, operations::hartree * static_cast<double>(waves_));
  sums_.hartree = electrons::hartree(waves, rho(), hartree_);
  if (setup_->job->isolated)
    sums_.hartree += electrons::screen_hartree(waves, screening_, rho(), hartree_);
  sums_.local = electrons::integral(waves, local_, rho());
  for (OfSpin& one : spins_)
    for (std::size_t i = 0; i < waves_; ++i)
      one.potential[i] = hartree_[i] + local_[i] + one.xc_potential[i];
  sums_.alpha = sums_.electrons = 0;
  if (waves.zero() < 0) return;
  const auto zero = static_cast<std::size_t>(waves.zero());
  const double alpha = setup_->tables->alpha() / volume();
  sums_.electrons = rho()[zero].real() * volume();
  sums_.alpha = alpha * setup_->job->electrons_count();
  // Digests depend on the order of these sums, with and without spin.
  for (OfSpin& one : spins_)
    one.potential[zero] = has_spin()
                              ? hartree_[zero] + local_[zero] + alpha + one.xc_potential[zero]
                              : one.potential[zero] + alpha;
}

Task SelfConsistentDensity::send_potentials() {
  std::array<Ref<PotentialMessage>, 2> messages;
  DensityFields fields;
  for (std::size_t s = 0; s < spins_.size(); ++s) {
    messages[s] = new_potential();
    fields.add(messages[s]->trailing<double>(), spins_[s].potential.data());
  }
  co_await to_points(fields);
  for (int spin = 0; spin < setup_->basis->spins(); ++spin)
    send_potential(spin, std::move(messages[static_cast<std::size_t>(spin)]));
}

PotentialOfPart SelfConsistentDensity::potential() const {
  PotentialOfPart all;
  for (const OfSpin& one : spins_) all.push_back(one.potential);
  return all;
}

/// A molecule without images has no virial.
Task SelfConsistentDensity::find_forces(Stress stress) {
  finds_virial_ = stress == Stress::found && !setup_->job->isolated;
  const Waves of_core = setup_->tables->has_core() ? core_potential() : Waves();
  forces_.assign(positions().size(), {});
  virial_ = {};
  if (local_splines_) {
    co_await add_by_splines(&*local_splines_, &rho());
    if (core_splines_) co_await add_by_splines(&*core_splines_, &of_core);
  } else {
    charge(forces_phase, Work::ions, setup_->ion_costs.forces_of_fields(waves_));
    const PhaseTimer timer(forces_phase);
    local_field_.add_forces(positions(), rho(), forces_);
    if (setup_->tables->has_core()) core_field_.add_forces(positions(), of_core, forces_);
  }
  if (finds_virial_) add_up_virial(of_core);
  setup_->density_forces.contribute(*this, number_, force_numbers(forces_, virial_));
}

void SelfConsistentDensity::add_up_virial(const Waves& core_potential) {
  const electrons::PlaneWaves& waves = plane_waves();
  charge(forces_phase, Work::ions, setup_->ion_costs.virial_of_density(waves_));
  if (!local_splines_) {
    charge(forces_phase, Work::ions, setup_->ion_costs.virial_of_fields(waves_));
    local_field_.add_virial(positions(), rho(), virial_);
    if (setup_->tables->has_core()) core_field_.add_virial(positions(), core_potential, virial_);
  }
  electrons::add_hartree_virial(waves, rho(), hartree_, virial_);
  double potential = 0;
  for (const OfSpin& one : spins_)
    potential += electrons::integral(waves, one.xc_potential, one.rho_with_core);
  const Virial xc = electrons::xc_virial({.energy = sums_.exchange_correlation,
                                          .potential = potential,
                                          .element = volume() / setup_->basis->grid_points(),
                                          .products = products_});
  for (std::size_t i = 0; i < virial_.size(); ++i) virial_[i] += xc[i];
  for (std::size_t axis = 0; axis < 3; ++axis) virial_[axis] += sums_.local + sums_.alpha;
}

}  // namespace fg::ab_initio
