// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/orbital_points.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ab_initio/setup.hpp"

namespace fg::ab_initio {

namespace {

const Phase density_phase{"density of orbitals"};
const Phase potential_phase{"potential times orbitals"};

}  // namespace

OrbitalPoints::OrbitalPoints(std::shared_ptr<const Setup> setup)
    : setup_(std::move(setup)),
      pairs_(setup_->basis->pairs(block())),
      points_(static_cast<std::size_t>(pairs_)),
      potentials_(static_cast<std::size_t>(setup_->basis->density_parts_in_part())) {
  const std::size_t points = setup_->basis->points(part()).volume();
  density_.resize(points);
  potential_.resize(points);
}

void OrbitalPoints::transformed(Ref<const fft::FieldMessage> result) {
  if (result->route == fft::Route::forward) {
    setup_->orbitals[{block(), part()}].send<&Orbitals::applied>(std::move(result), Lane::normal);
    return;
  }
  const std::int64_t number = result->number;
  next_ = std::max(next_, number + setup_->basis->blocks());
  points_[static_cast<std::size_t>(number / setup_->basis->blocks() % pairs_)] = std::move(result);
  if (++arrived_ < pairs_) return;
  arrived_ = 0;
  add_up_density();
  ++evaluation_;
}

void OrbitalPoints::add_up_density() {
  const PhaseTimer timer(density_phase);
  const Basis& basis = *setup_->basis;
  const fft::GridBox& box = basis.points(part());
  const auto planes = static_cast<std::size_t>(box.size(0));
  const std::size_t plane = density_.size() / std::max<std::size_t>(planes, 1);
  const double scale = setup_->job->occupation() / basis.volume();
  // Plane by plane, so that the sum stays in the cache.
  for (std::size_t x = 0; x < planes; ++x) {
    double* const to = density_.data() + x * plane;
    std::fill_n(to, plane, 0.0);
    for (const auto& pair : points_) {
      const auto* from = reinterpret_cast<const double*>(pair->trailing<Number>() + x * plane);
      for (std::size_t i = 0; i < plane; ++i)
        to[i] += from[2 * i] * from[2 * i] + from[2 * i + 1] * from[2 * i + 1];
    }
    for (std::size_t i = 0; i < plane; ++i) to[i] *= scale;
  }
  const int first = part() * basis.density_parts_in_part();
  for (int d = first; d < first + basis.density_parts_in_part(); ++d) {
    const fft::GridBox& inner = basis.density_points(d);
    fixed_.resize(inner.volume());
    for_each_row(inner, box, [&](std::size_t to, std::size_t from, std::size_t points) {
      for (std::size_t i = 0; i < points; ++i)
        fixed_[to + i] = std::llrint(density_[from + i] * density_scale);
    });
    setup_->density_sum(basis.spin_of(block()), d).contribute(*this, evaluation_, fixed_);
  }
}

void OrbitalPoints::potential(Ref<const PotentialMessage> message) {
  const int own = setup_->basis->density_parts_in_part();
  const auto place = static_cast<std::size_t>(message->part - part() * own);
  potentials_[place] = std::move(message);
  if (!std::all_of(potentials_.begin(), potentials_.end(), [](const auto& one) { return !!one; }))
    return;
  apply_potential();
}

void OrbitalPoints::apply_potential() {
  const PhaseTimer timer(potential_phase);
  const Basis& basis = *setup_->basis;
  const fft::GridBox& box = basis.points(part());
  const double scale = 1 / basis.grid_points();
  for (auto& one : potentials_) {
    const double* const values = one->trailing<double>();
    for_each_row(basis.density_points(one->part), box,
                 [&](std::size_t from, std::size_t to, std::size_t points) {
                   for (std::size_t i = 0; i < points; ++i)
                     potential_[to + i] = scale * values[from + i];
                 });
    one = {};
  }
  for (auto& points : points_) {
    Ref<fft::FieldMessage> field = writable_again(std::move(points));
    auto* const numbers = reinterpret_cast<double*>(field->trailing<Number>());
    for (std::size_t i = 0; i < potential_.size(); ++i) {
      numbers[2 * i] *= potential_[i];
      numbers[2 * i + 1] *= potential_[i];
    }
    // Of a block, transforms there and back are numbered in one row.
    field->number = std::exchange(next_, next_ + basis.blocks());
    field->route = fft::Route::forward;
    setup_->orbital_transforms.start(std::move(field));
  }
}

}  // namespace fg::ab_initio
