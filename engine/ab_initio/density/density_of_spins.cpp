// SPDX-License-Identifier: BSD-3-Clause
//
// The density of two spins: what differs from that of closed shells. Each transform has up and down
// as its two fields. Half of a model core belongs to each spin.
#include <algorithm>
#include <cmath>

#include "ab_initio/density/density.hpp"
#include "ab_initio/density/setups.hpp"
#include "ab_initio/division/costs.hpp"
#include "electrons/exchange_correlation/density_gradient.hpp"
#include "runtime/simulated_time.hpp"

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

void Density::make_spins() {
  spins_.resize(2);
  const bool gradient = setup_->functional->uses_gradient();
  for (OfSpin& one : spins_) {
    for (Points* points : {&one.density, &one.with_core, &one.by_density}) points->resize(size_);
    for (Waves* waves : {&one.rho, &one.rho_with_core, &one.xc_potential, &one.potential})
      waves->resize(waves_);
    if (!gradient) continue;
    for (Points& points : one.gradient) points.resize(size_);
    for (Waves& waves : one.flux) waves.resize(waves_);
  }
  if (!gradient) return;
  for (auto* products : {&sigma_of_spins_, &by_sigma_of_spins_})
    for (Points& points : *products) points.resize(size_);
}

void Density::density_down(Ref<const ReductionMessage<std::int64_t>> sum) {
  const auto values = sum->values();
  const double factor = thinning();
  for (std::size_t i = 0; i < size_; ++i)
    spins_[1].density[i] = static_cast<double>(values[i]) / density_scale * factor;
}

AlignedVector<double> Density::spin_points() const {
  Points points;
  if (!has_spin()) return points;
  points.resize(size_);
  for (std::size_t i = 0; i < size_; ++i) points[i] = spins_[0].density[i] - spins_[1].density[i];
  return points;
}

Task Density::find_density_of_spins(bool free_atoms) {
  const electrons::PlaneWaves& waves = plane_waves_.now();
  OfSpin &up = spins_[0], &down = spins_[1];
  const std::int64_t number = transforms_;
  if (free_atoms) {
    for (int spin = 0; spin < 2; ++spin)
      setup_->tables->free_atoms(waves, spin)
          .write(positions(), spins_[static_cast<std::size_t>(spin)].rho);
    to_points(up.rho, down.rho);
    co_await when<&Density::transformed>(number);
    take_points(*result(number), up.density.data(), down.density.data());
  } else {
    // Without orbitals nothing arrives, and what free atoms had would stay.
    if (setup_->basis->spins() == 1) std::fill(down.density.begin(), down.density.end(), 0.0);
    to_waves(up.density, down.density);
    co_await when<&Density::transformed>(number);
    const auto found = result(number);
    take_waves(*found, 0, up.rho);
    take_waves(*found, 1, down.rho);
  }
  const double element = volume() / setup_->basis->grid_points();
  double absolute = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    density_[i] = up.density[i] + down.density[i];
    absolute += std::abs(up.density[i] - down.density[i]);
  }
  sums_.absolute_magnetization = absolute * element;
  for (std::size_t i = 0; i < waves_; ++i) rho_[i] = up.rho[i] + down.rho[i];
  sums_.magnetization = 0;
  if (waves.zero() >= 0) {
    const auto zero = static_cast<std::size_t>(waves.zero());
    sums_.magnetization = (up.rho[zero] - down.rho[zero]).real() * volume();
  }
}

Task Density::exchange_and_correlation_of_spins() {
  OfSpin &up = spins_[0], &down = spins_[1];
  for (OfSpin& one : spins_) std::copy(one.rho.begin(), one.rho.end(), one.rho_with_core.begin());
  if (setup_->tables->has_core()) {
    for (OfSpin& one : spins_)
      for (std::size_t i = 0; i < waves_; ++i) one.rho_with_core[i] += 0.5 * core_[i];
    const std::int64_t number = transforms_;
    to_points(up.rho_with_core, down.rho_with_core);
    co_await when<&Density::transformed>(number);
    take_points(*result(number), up.with_core.data(), down.with_core.data());
  } else {
    for (OfSpin& one : spins_) one.with_core = one.density;
  }
  if (setup_->functional->uses_gradient()) co_await gradients_of_spins();
  evaluate_functional_of_spins();
  co_await xc_potentials_of_spins();
}

Task Density::gradients_of_spins() {
  const electrons::PlaneWaves& waves = plane_waves_.now();
  OfSpin &up = spins_[0], &down = spins_[1];
  const std::int64_t first = transforms_;
  for (int axis = 0; axis < 3; ++axis) {
    for (OfSpin& one : spins_)
      electrons::density_gradient(waves, axis, one.rho_with_core, one.flux[axis]);
    to_points(up.flux[axis], down.flux[axis]);
  }
  co_await all_of(expect<&Density::transformed>(first), expect<&Density::transformed>(first + 1),
                  expect<&Density::transformed>(first + 2));
  for (int axis = 0; axis < 3; ++axis)
    take_points(*result(first + axis), up.gradient[axis].data(), down.gradient[axis].data());
}

/// Energy, derivatives and, with a gradient, its products for the virial; then the flow.
void Density::evaluate_functional_of_spins() {
  const PhaseTimer timer(xc_phase);
  OfSpin &up = spins_[0], &down = spins_[1];
  const auto gradients = [](const OfSpin& one) { return const_spans(one.gradient); };
  const bool gradient = setup_->functional->uses_gradient();
  // The costs are of one spin, and there are two.
  charge(Work::other,
         2 * (gradient ? operations::gradient_functional : operations::local_functional) *
             static_cast<double>(size_));
  if (gradient) electrons::spin_products(gradients(up), gradients(down), spans(sigma_of_spins_));
  setup_->functional->evaluate_spins(
      {.density = {up.with_core, down.with_core}, .sigma = const_spans(sigma_of_spins_)},
      {.energy = energy_,
       .by_density = {up.by_density, down.by_density},
       .by_sigma = spans(by_sigma_of_spins_)});
  double energy = 0;
  for (const double e : energy_) energy += e;
  sums_.exchange_correlation = energy * volume() / setup_->basis->grid_points();
  products_ = {};
  if (!gradient) return;
  const auto by_sigma = const_spans(by_sigma_of_spins_);
  electrons::add_spin_gradient_products(by_sigma, gradients(up), gradients(down), products_);
  electrons::spin_gradients_to_flows(by_sigma, spans(up.gradient), spans(down.gradient));
}

Task Density::xc_potentials_of_spins() {
  const electrons::PlaneWaves& waves = plane_waves_.now();
  OfSpin &up = spins_[0], &down = spins_[1];
  const std::int64_t first = transforms_;
  to_waves(up.by_density, down.by_density);
  if (!setup_->functional->uses_gradient()) {
    co_await when<&Density::transformed>(first);
  } else {
    for (int axis = 0; axis < 3; ++axis) to_waves(up.gradient[axis], down.gradient[axis]);
    co_await all_of(expect<&Density::transformed>(first), expect<&Density::transformed>(first + 1),
                    expect<&Density::transformed>(first + 2),
                    expect<&Density::transformed>(first + 3));
    for (int axis = 0; axis < 3; ++axis) {
      const auto flow = result(first + 1 + axis);
      take_waves(*flow, 0, up.flux[axis]);
      take_waves(*flow, 1, down.flux[axis]);
    }
  }
  const auto potentials = result(first);
  take_waves(*potentials, 0, up.xc_potential);
  take_waves(*potentials, 1, down.xc_potential);
  if (!setup_->functional->uses_gradient()) co_return;
  for (OfSpin& one : spins_)
    electrons::subtract_divergence(waves, {one.flux[0], one.flux[1], one.flux[2]},
                                   one.xc_potential);
}

/// Both spins have the same potential but for exchange and correlation.
Task Density::send_potentials_of_spins() {
  OfSpin &up = spins_[0], &down = spins_[1];
  for (OfSpin& one : spins_)
    for (std::size_t i = 0; i < waves_; ++i) one.potential[i] = potential_[i] + one.xc_potential[i];
  const std::int64_t number = transforms_;
  to_points(up.potential, down.potential);
  co_await when<&Density::transformed>(number);
  std::array<Ref<PotentialMessage>, 2> messages;
  for (auto& message : messages) {
    message = make_message<PotentialMessage>(size_ * sizeof(double));
    message->part = part();
  }
  take_points(*result(number), messages[0]->trailing<double>(), messages[1]->trailing<double>());
  const Basis& basis = *setup_->basis;
  const int of_orbitals = part() / basis.density_parts_in_part();
  for (int spin = 0; spin < basis.spins(); ++spin)
    setup_->points_of[static_cast<std::size_t>(spin * basis.parts() + of_orbitals)]
        .multicast<&OrbitalPoints::potential>(std::move(messages[static_cast<std::size_t>(spin)]));
}

Density::Waves Density::mean_xc_potential() const {
  Waves mean;
  mean.resize(waves_);
  for (std::size_t i = 0; i < waves_; ++i)
    mean[i] = 0.5 * (spins_[0].xc_potential[i] + spins_[1].xc_potential[i]);
  return mean;
}

}  // namespace fg::ab_initio
