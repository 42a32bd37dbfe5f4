// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/density/density.hpp"

#include <algorithm>
#include <utility>

#include "ab_initio/density/setups.hpp"
#include "ab_initio/division/costs.hpp"
#include "runtime/simulated/simulated_time.hpp"

namespace fg::ab_initio {

namespace {

const Phase lines_phase{"density: lines"};

}  // namespace

Density::Density(std::shared_ptr<const DensitySetup> setup)
    : setup_(std::move(setup)),
      plane_waves_(setup_->basis->density_waves(part())),
      waves_(plane_waves_.now().size()),
      size_(setup_->basis->density_points(part()).volume()),
      density_(static_cast<std::size_t>(setup_->job->electrons.spins), Points(size_)),
      results_(static_cast<std::size_t>(window(*setup_->job))) {
  if (end_of_transforms(*setup_->basis) == fft::SphereEnd::rows)
    slab_.emplace(*setup_->basis->density_plan(), part());
}

Task Density::life() {
  co_await begin();
  for (;;) {
    const std::int64_t n = orders_++;
    co_await any_of(expect<&Density::place>(n), expect<&Density::evaluate>(n),
                    expect<&Density::forces>(n), expect<&Density::finish>(n));
    const Task what = std::exchange(what_, {});
    if (!what) co_return;
    co_await what;
  }
}

Task Density::follow_orbitals(Ref<const EvaluateOrder> order) {
  number_ = order->number;
  const int spins = setup_->basis->spins();
  for (int spin = 0; spin < spins; ++spin)
    co_await when<&Density::density>(order->evaluation * spins + spin);
  co_await find_potential(order->free_atoms);
}

void Density::forces(Ref<const ForcesOrder> order) {
  number_ = order->number;
  what_ = find_forces(order->stress);
}

double Density::volume() const noexcept {
  return plane_waves().lattice().volume();
}

void Density::density(Ref<const ReductionMessage<std::int64_t>> sum) {
  const auto values = sum->values();
  Points& density = density_[static_cast<std::size_t>(sum->step % setup_->basis->spins())];
  // Electrons are summed up in the volume of the cell in which the waves were chosen.
  const double factor = setup_->basis->wave_volume() / volume();
  for (std::size_t i = 0; i < size_; ++i)
    density[i] = static_cast<double>(values[i]) / density_scale * factor;
}

Density::Points Density::points() const {
  Points points = density_.front();
  if (density_.size() == 2)
    for (std::size_t i = 0; i < size_; ++i) points[i] += density_.back()[i];
  return points;
}

Density::Points Density::spin_points() const {
  if (density_.size() == 1) return {};
  Points points = density_.front();
  for (std::size_t i = 0; i < size_; ++i) points[i] -= density_.back()[i];
  return points;
}

Ref<PotentialMessage> Density::new_potential() const {
  auto message = make_message<PotentialMessage>(size_ * sizeof(double));
  message->part = part();
  return message;
}

void Density::send_potential(int spin, Ref<PotentialMessage> message) const {
  const Basis& basis = *setup_->basis;
  setup_
      ->points_of[static_cast<std::size_t>(spin * basis.parts() +
                                           part() / basis.density_parts_in_part())]
      .multicast<&OrbitalPoints::potential>(std::move(message));
}

Task Density::to_waves(DensityFields fields) {
  std::int64_t number = transforms_;
  for (std::size_t k = 0; k < fields.count; k += 2)
    start_to_waves(fields.all[k].points, fields.all[k + 1].points);
  for (std::size_t k = 0; k < fields.count; k += 2) {
    co_await when<&Density::transformed>(number);
    take_waves(*result(number++), fields.all[k].waves, fields.all[k + 1].waves);
  }
}

Task Density::to_points(DensityFields fields) {
  std::int64_t number = transforms_;
  for (std::size_t k = 0; k < fields.count; k += 2)
    start_to_points(fields.all[k].waves, fields.all[k + 1].waves);
  for (std::size_t k = 0; k < fields.count; k += 2) {
    co_await when<&Density::transformed>(number);
    take_points(*result(number++), fields.all[k].points, fields.all[k + 1].points);
  }
}

void Density::start_to_waves(const double* first, const double* second) {
  auto field = setup_->density_transforms.field(part(), transforms_++, fft::Route::forward);
  charge(lines_phase, Work::large_transforms,
         setup_->density_costs.planes[static_cast<std::size_t>(part())]);
  {
    const PhaseTimer timer(lines_phase);
    const auto write = [&](std::size_t from, Number* points, std::size_t count) {
      for (std::size_t i = 0; i < count; ++i)
        points[i] = {first[from + i], second == nullptr ? 0.0 : second[from + i]};
    };
    Number* const to = field->trailing<Number>();
    if (!slab_) write(0, to, size_);
    for (int turn = 0; slab_ && turn < slab_->turns(); ++turn)
      slab_->to_rows(to, turn, [&](int y, Number* points) {
        for_each_row(turn, y, [&](std::size_t from, std::size_t at, std::size_t count) {
          write(from, points + at, count);
        });
      });
  }
  setup_->density_transforms.start(std::move(field));
}

void Density::start_to_points(const Number* first, const Number* second) {
  auto field = setup_->density_transforms.field(part(), transforms_++, fft::Route::backward);
  Number* const to = field->trailing<Number>();
  std::copy_n(first, waves_, to);
  if (second == nullptr)
    std::fill_n(to + waves_, waves_, Number());
  else
    std::copy_n(second, waves_, to + waves_);
  charge(lines_phase, Work::large_transforms,
         setup_->density_costs.columns[static_cast<std::size_t>(part())]);
  setup_->density_transforms.start(std::move(field));
}

void Density::transformed(Ref<const fft::FieldMessage> result) {
  const TransformCosts& costs = setup_->density_costs;
  charge(lines_phase, Work::large_transforms,
         (result->route == fft::Route::forward ? costs.columns
                                               : costs.planes)[static_cast<std::size_t>(part())]);
  const auto place = static_cast<std::size_t>(result->number) % results_.size();
  results_[place] = std::move(result);
}

Ref<const fft::FieldMessage> Density::result(std::int64_t number) {
  return std::exchange(results_[static_cast<std::size_t>(number) % results_.size()], {});
}

void Density::take_waves(const fft::FieldMessage& from, Number* first, Number* second) const {
  const Number* values = from.trailing<Number>();
  const double scale = 1 / setup_->basis->grid_points();
  for (Number* const to : {first, second}) {
    if (to == nullptr) return;
    for (std::size_t i = 0; i < waves_; ++i) to[i] = scale * values[i];
    values += waves_;
  }
}

void Density::take_points(const fft::FieldMessage& from, double* first, double* second) const {
  const PhaseTimer timer(lines_phase);
  const auto read = [&](const Number* points, std::size_t to, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) first[to + i] = points[i].real();
    if (second == nullptr) return;
    for (std::size_t i = 0; i < count; ++i) second[to + i] = points[i].imag();
  };
  if (!slab_) return read(from.trailing<Number>(), 0, size_);
  for (int turn = 0; turn < slab_->turns(); ++turn)
    slab_->to_points(from.trailing<Number>(), turn, [&](int y, const Number* points) {
      for_each_row(turn, y, [&](std::size_t to, std::size_t at, std::size_t count) {
        read(points + at, to, count);
      });
    });
}

/// Visits the consecutive z of a turn for one y. Calls visit(place in points of the part, place in
/// those of the turn, points).
template <class Visit>
void Density::for_each_row(int turn, int y, const Visit& visit) const {
  const fft::Range z = slab_->z(turn);
  const auto ny = static_cast<std::size_t>(slab_->y_size());
  const auto nz = static_cast<std::size_t>(setup_->basis->density_points(part()).size(2));
  const auto width = static_cast<std::size_t>(slab_->width());
  for (std::size_t x = 0; x < static_cast<std::size_t>(slab_->x_size()); ++x)
    visit((x * ny + static_cast<std::size_t>(y)) * nz + static_cast<std::size_t>(z.begin),
          x * width, static_cast<std::size_t>(z.size()));
}

}  // namespace fg::ab_initio
