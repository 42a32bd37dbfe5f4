// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/orbitals/spline_points.hpp"

#include <algorithm>
#include <complex>
#include <utility>

#include "ab_initio/orbitals/setups.hpp"
#include "runtime/simulated/simulated_time.hpp"

namespace fg::ab_initio {

namespace {

const Phase gather_phase{"nonlocal splines: ions from points"};
const Phase scatter_phase{"nonlocal splines: ions to points"};

using Number = std::complex<double>;

}  // namespace

SplinePoints::SplinePoints(std::shared_ptr<const SplinePointsSetup> setup)
    : setup_(std::move(setup)),
      orbitals_(static_cast<std::size_t>(setup_->basis->block(block()).size())),
      transforms_(setup_->splines->transforms(block())),
      z_(setup_->projector_count * orbitals_),
      gradients_(z_.size()),
      coupled_(z_.size()) {}

void SplinePoints::transformed(Ref<const fft::FieldMessage> result) {
  if (result->route == fft::Route::forward) {
    setup_->orbitals[{block(), part()}].send<&Orbitals::spline_waves>(std::move(result),
                                                                      Lane::normal);
    if (started_ < transforms_) start_next();
    return;
  }
  gather(*result);
  setup_->orbitals[{block(), part()}].send<&Orbitals::spline_points_taken>();
  if (++arrived_ < transforms_) return;
  arrived_ = 0;
  first_ += transforms_;
  setup_->projections[static_cast<std::size_t>(block())].contribute(*this, evaluation_++, z_);
}

void SplinePoints::gather(const fft::FieldMessage& points) {
  const PhaseTimer timer(gather_phase);
  const NonlocalSplines& splines = *setup_->splines;
  charge(gather_phase, Work::transforms, splines.costs().planes(part()));
  charge(gather_phase, Work::ions, splines.costs().gather(part()));
  const electrons::IonSplines& ions = splines.ions(part());
  const auto k = static_cast<int>(points.number / setup_->basis->blocks() - first_);
  const auto orbital = static_cast<std::size_t>(splines.orbital(block(), k));
  const std::span field(points.trailing<Number>(),
                        splines.plan()->points()[static_cast<std::size_t>(part())].volume());
  splines.for_each_ion(splines.channel(block(), k), [&](std::size_t ion, std::size_t row) {
    const electrons::SplineSums sums = ions.gather(ion, field);
    for (std::size_t s = 0; s < 2 && orbital + s < orbitals_; ++s) {
      z_[row * orbitals_ + orbital + s] = sums.values[s];
      gradients_[row * orbitals_ + orbital + s] = sums.gradients[s];
    }
  });
}

void SplinePoints::projected(Ref<const ReductionMessage<double>> sums) {
  setup_->splines->coupling().couple(sums->values(), orbitals_, coupled_);
  setup_->orbitals[{block(), part()}].send<&Orbitals::projected>(std::move(sums), Lane::normal);
  start_back();
}

void SplinePoints::start_back() {
  started_ = 0;
  while (started_ < std::min(transforms_, NonlocalSplines::most_started)) start_next();
}

/// Points of the next transform back, from D Z.
void SplinePoints::start_next() {
  const PhaseTimer timer(scatter_phase);
  const NonlocalSplines& splines = *setup_->splines;
  charge(scatter_phase, Work::transforms, splines.costs().planes(part()));
  charge(scatter_phase, Work::ions, splines.costs().scatter(part()));
  const electrons::IonSplines& ions = splines.ions(part());
  const int k = started_++;
  const auto orbital = static_cast<std::size_t>(splines.orbital(block(), k));
  const std::int64_t number = (first_ + k) * setup_->basis->blocks() + block();
  auto field = setup_->spline_transforms.field(part(), number, fft::Route::forward);
  const std::span points(field->trailing<Number>(),
                         splines.plan()->points()[static_cast<std::size_t>(part())].volume());
  std::fill(points.begin(), points.end(), Number());
  splines.for_each_ion(splines.channel(block(), k), [&](std::size_t ion, std::size_t row) {
    const double* const dz = coupled_.data() + row * orbitals_ + orbital;
    ions.scatter(ion, {dz[0], orbital + 1 < orbitals_ ? dz[1] : 0.0}, points);
  });
  if (started_ == transforms_) first_ += transforms_;
  setup_->spline_transforms.start(std::move(field));
}

void SplinePoints::forces(bool with_virial) {
  const std::size_t ions = setup_->job->species_of.size();
  auto message = make_message<SplineForcesMessage>(3 * ions * sizeof(double));
  double* const to = message->trailing<double>();
  const electrons::ProjectorCoupling& coupling = setup_->splines->coupling();
  for (std::size_t ion = 0; ion < ions; ++ion) {
    Vec3 force;
    for (std::size_t i = coupling.first(ion) * orbitals_; i < coupling.first(ion + 1) * orbitals_;
         ++i)
      force -= gradients_[i] * (2 * setup_->job->occupation() * coupled_[i]);
    for (int axis = 0; axis < 3; ++axis) to[3 * ion + static_cast<std::size_t>(axis)] = force[axis];
  }
  setup_->orbitals[{block(), part()}].send<&Orbitals::spline_forces>(
      Ref<const SplineForcesMessage>(std::move(message)), Lane::normal);
  if (with_virial) start_back();
}

}  // namespace fg::ab_initio
