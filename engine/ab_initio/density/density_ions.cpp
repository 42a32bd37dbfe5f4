// SPDX-License-Identifier: BSD-3-Clause
//
// The part of SelfConsistentDensity that is done by splines. It takes local potential and core of
// the ions from a grid, and the forces on them. Transforms follow each other, so that sums have one
// order.
#include <algorithm>
#include <utility>

#include "ab_initio/density/self_consistent_density.hpp"
#include "ab_initio/density/setups.hpp"
#include "ab_initio/division/costs.hpp"
#include "runtime/simulated/simulated_time.hpp"

namespace fg::ab_initio {

namespace {

const Phase ions_phase{"local splines: ions to points"};

}  // namespace

/// Called in the first run, and in another cell than before.
void SelfConsistentDensity::make_ion_splines() {
  const DensitySetup& setup = *setup_;
  const electrons::PlaneWaves& waves = plane_waves();
  local_splines_ = setup.ion_splines->share(
      waves, part(), setup.tables->local_waves(waves, screening_), setup.tables->local_kinds());
  if (!setup.tables->has_core()) return;
  core_splines_ = setup.ion_splines->share(waves, part(), setup.tables->core_waves(waves),
                                           setup.tables->core_kinds());
}

Task SelfConsistentDensity::write_by_splines(electrons::SplineFieldShare* ions, Waves* field) {
  ions->place(positions());
  std::fill(field->begin(), field->end(), Number());
  for (std::size_t pair = 0; pair < ions->pairs(); ++pair) {
    const std::int64_t number = ion_transforms_;
    scatter_ions(*ions, pair);
    co_await when<&Density::met_ions>(number);
    const Ref<const fft::FieldMessage> result = std::exchange(of_ions_, {});
    charge_ion_waves();
    ions->add_field(pair, {result->trailing<Number>(), 2 * waves_}, *field);
  }
}

void SelfConsistentDensity::scatter_ions(const electrons::SplineFieldShare& ions,
                                         std::size_t pair) {
  const PhaseTimer timer(ions_phase);
  const auto& transforms = setup_->ion_transforms;
  auto message = transforms.field(part(), ion_transforms_++, fft::Route::forward);
  const SplineCosts& costs = setup_->ion_splines->costs();
  charge(ions_phase, Work::ions, costs.scatter(part()));
  charge(ions_phase, Work::transforms, costs.planes(part()));
  ions.scatter(pair, {message->trailing<Number>(), ion_points()});
  transforms.start(std::move(message));
}

/// Lines along z of a transform, and the waves of its two fields.
void SelfConsistentDensity::charge_ion_waves() const {
  charge(ions_phase, Work::transforms, setup_->ion_splines->costs().columns(part()));
  charge(ions_phase, Work::ions, spline_waves(operations::spline_field, 2, waves_));
}

std::size_t SelfConsistentDensity::ion_points() const noexcept {
  return setup_->ion_splines->plan()->points()[static_cast<std::size_t>(part())].volume();
}

Task SelfConsistentDensity::add_by_splines(const electrons::SplineFieldShare* ions,
                                           const Waves* partner) {
  const auto& transforms = setup_->ion_transforms;
  for (std::size_t pair = 0; pair < ions->pairs(); ++pair) {
    const std::int64_t number = ion_transforms_++;
    auto message = transforms.field(part(), number, fft::Route::backward);
    charge_ion_waves();
    ions->write_partner(pair, *partner, {message->trailing<Number>(), 2 * waves_});
    transforms.start(std::move(message));
    co_await when<&Density::met_ions>(number);
    const Ref<const fft::FieldMessage> points = std::exchange(of_ions_, {});
    charge(ions_phase, Work::transforms, setup_->ion_splines->costs().planes(part()));
    charge(ions_phase, Work::ions, setup_->ion_splines->costs().gather(part()));
    ions->add_forces(pair, {points->trailing<Number>(), ion_points()}, forces_);
    if (!finds_virial_) continue;
    scatter_ions(*ions, pair);
    co_await when<&Density::met_ions>(number + 1);
    const Ref<const fft::FieldMessage> sums = std::exchange(of_ions_, {});
    charge_ion_waves();
    ions->add_virial(pair, {sums->trailing<Number>(), 2 * waves_}, *partner, virial_);
  }
}

}  // namespace fg::ab_initio
