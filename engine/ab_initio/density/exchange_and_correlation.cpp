// SPDX-License-Identifier: BSD-3-Clause
//
// The part of SelfConsistentDensity that finds exchange and correlation. Spins have equal shares of
// a model core.
#include "ab_initio/density/self_consistent_density.hpp"
#include "ab_initio/density/setups.hpp"
#include "ab_initio/division/costs.hpp"
#include "electrons/exchange_correlation/density_gradient.hpp"
#include "runtime/simulated/simulated_time.hpp"

namespace fg::ab_initio {

namespace {

const Phase xc_phase{"exchange and correlation"};

std::array<std::span<double>, 3> spans(std::array<AlignedVector<double>, 3>& vectors) {
  return {vectors[0], vectors[1], vectors[2]};
}
std::array<std::span<const double>, 3> const_spans(
    const std::array<AlignedVector<double>, 3>& vectors) {
  return {vectors[0], vectors[1], vectors[2]};
}

}  // namespace

Task SelfConsistentDensity::exchange_and_correlation() {
  const bool has_core = setup_->tables->has_core();
  const double share = 1.0 / static_cast<double>(spins_.size());
  DensityFields fields;
  for (std::size_t s = 0; s < spins_.size(); ++s) {
    OfSpin& one = spins_[s];
    one.rho_with_core = rho_[s];
    fields.add(one.with_core.data(), one.rho_with_core.data());
    if (!has_core)
      one.with_core = density_[s];
    else
      for (std::size_t i = 0; i < waves_; ++i) one.rho_with_core[i] += share * core_[i];
  }
  if (has_core) co_await to_points(fields);
  if (setup_->functional->uses_gradient()) co_await find_gradients();
  evaluate_functional();
  co_await find_xc_potentials();
}

Task SelfConsistentDensity::find_gradients() {
  DensityFields fields;
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (OfSpin& one : spins_) {
      electrons::density_gradient(plane_waves(), static_cast<int>(axis), one.rho_with_core,
                                  one.flux[axis]);
      fields.add(one.gradient[axis].data(), one.flux[axis].data());
    }
  return to_points(fields);
}

/// Energy, derivatives and, with a gradient, its products for the virial; then the flow.
void SelfConsistentDensity::evaluate_functional() {
  const PhaseTimer timer(xc_phase);
  // The costs are of one spin.
  charge(Work::other, static_cast<double>(spins_.size()) *
                          (setup_->functional->uses_gradient() ? operations::gradient_functional
                                                               : operations::local_functional) *
                          static_cast<double>(size_));
  products_ = {};
  has_spin() ? evaluate_functional_of_spins() : evaluate_functional_of_all();
  double energy = 0;
  for (const double e : energy_) energy += e;
  sums_.exchange_correlation = energy * volume() / setup_->basis->grid_points();
}

void SelfConsistentDensity::evaluate_functional_of_all() {
  OfSpin& all = spins_.front();
  const bool gradient = setup_->functional->uses_gradient();
  if (gradient) electrons::squared_gradient(const_spans(all.gradient), sigma_[0]);
  setup_->functional->evaluate(
      {.density = all.with_core, .sigma = sigma_[0]},
      {.energy = energy_, .by_density = all.by_density, .by_sigma = by_sigma_[0]});
  if (!gradient) return;
  electrons::add_gradient_products(by_sigma_[0], const_spans(all.gradient), products_);
  electrons::gradient_to_flow(by_sigma_[0], spans(all.gradient));
}

void SelfConsistentDensity::evaluate_functional_of_spins() {
  OfSpin &up = spins_[0], &down = spins_[1];
  const bool gradient = setup_->functional->uses_gradient();
  const auto gradients = [](const OfSpin& one) { return const_spans(one.gradient); };
  if (gradient) electrons::spin_products(gradients(up), gradients(down), spans(sigma_));
  setup_->functional->evaluate_spins(
      {.density = {up.with_core, down.with_core}, .sigma = const_spans(sigma_)},
      {.energy = energy_,
       .by_density = {up.by_density, down.by_density},
       .by_sigma = spans(by_sigma_)});
  if (!gradient) return;
  const auto by_sigma = const_spans(by_sigma_);
  electrons::add_spin_gradient_products(by_sigma, gradients(up), gradients(down), products_);
  electrons::spin_gradients_to_flows(by_sigma, spans(up.gradient), spans(down.gradient));
}

Task SelfConsistentDensity::find_xc_potentials() {
  const bool gradient = setup_->functional->uses_gradient();
  DensityFields fields;
  for (OfSpin& one : spins_) fields.add(one.by_density.data(), one.xc_potential.data());
  for (std::size_t axis = 0; gradient && axis < 3; ++axis)
    for (OfSpin& one : spins_) fields.add(one.gradient[axis].data(), one.flux[axis].data());
  co_await to_waves(fields);
  if (!gradient) co_return;
  for (OfSpin& one : spins_)
    electrons::subtract_divergence(plane_waves(), {one.flux[0], one.flux[1], one.flux[2]},
                                   one.xc_potential);
}

Density::Waves SelfConsistentDensity::core_potential() const {
  Waves mean = spins_.front().xc_potential;
  if (has_spin())
    for (std::size_t i = 0; i < waves_; ++i)
      mean[i] = 0.5 * (mean[i] + spins_.back().xc_potential[i]);
  return mean;
}

}  // namespace fg::ab_initio
