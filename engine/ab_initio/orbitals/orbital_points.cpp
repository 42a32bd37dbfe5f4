// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/orbitals/orbital_points.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ab_initio/division/costs.hpp"
#include "ab_initio/orbitals/setups.hpp"
#include "electrons/matrices/point_products.hpp"
#include "runtime/simulated/simulated_time.hpp"

namespace fg::ab_initio {

namespace {

const Phase density_phase{"density of orbitals"};
const Phase potential_phase{"potential times orbitals"};
const Phase planes_phase{"orbitals: lines along y and x"};

/// The density of a block in fixed point, for each of its parts. It is passed on at once, so the
/// memory belongs to the thread. Memory for all blocks would be as large as some sets of orbitals.
std::vector<std::vector<std::int64_t>>& thread_density() {
  static thread_local std::vector<std::vector<std::int64_t>> density;
  return density;
}

}  // namespace

OrbitalPoints::OrbitalPoints(std::shared_ptr<const OrbitalPointsSetup> setup)
    : setup_(std::move(setup)),
      pairs_(setup_->basis->pairs(block())),
      rows_(static_cast<std::size_t>(pairs_)),
      potentials_(static_cast<std::size_t>(setup_->basis->density_parts_in_part())),
      turn_(slab().points()) {}

const OrbitalPoints::Slab& OrbitalPoints::slab() const noexcept {
  return *setup_->slabs[static_cast<std::size_t>(part())];
}

void OrbitalPoints::transformed(Ref<const fft::FieldMessage> result) {
  if (result->route == fft::Route::forward) {
    setup_->orbitals[{block(), part()}].send<&Orbitals::applied>(std::move(result), Lane::normal);
    return;
  }
  const std::int64_t number = result->number;
  next_ = std::max(next_, number + setup_->basis->blocks());
  rows_[static_cast<std::size_t>(number / setup_->basis->blocks() % pairs_)] =
      writable_again(std::move(result));
  if (++arrived_ < pairs_) return;
  arrived_ = 0;
  add_up_density();
  ++evaluation_;
}

/// Counts work on a simulated machine: lines along y and x, so many times, and each point.
void OrbitalPoints::charge_points(int transforms, double operations) const {
  charge(planes_phase, Work::transforms,
         transforms * pairs_ * setup_->orbital_costs.planes[static_cast<std::size_t>(part())]);
  charge(Work::other,
         operations * pairs_ * static_cast<double>(setup_->basis->points(part()).volume()));
}

void OrbitalPoints::add_up_density() {
  charge_points(1, operations::density_of_pair);
  auto& fixed = thread_density();
  fixed.resize(potentials_.size());
  for (std::size_t d = 0; d < fixed.size(); ++d)
    fixed[d].resize(setup_->basis->density_points(density_part(d)).volume());
  {
    const PhaseTimer timer(density_phase);
    const double scale = density_scale * setup_->job->occupation() / setup_->basis->wave_volume();
    const auto row = static_cast<std::size_t>(slab().x_size() * slab().width());
    for (int turn = 0; turn < slab().turns(); ++turn) {
      std::fill(turn_.begin(), turn_.end(), 0.0);
      for (const auto& pair : rows_) {
        slab().to_points(pair->trailing<Number>(), turn, [&](int y, const Number* points) {
          double* const to = turn_.data() + static_cast<std::size_t>(y) * row;
          electrons::add_squares(points, row, to);
        });
        drive_network_if_due();
      }
      for_each_part(turn, [&](std::size_t d, std::size_t to, std::size_t from, std::size_t points) {
        for (std::size_t i = 0; i < points; ++i)
          fixed[d][to + i] = std::llrint(scale * turn_[from + i]);
      });
    }
  }
  const int spins = setup_->basis->spins(), spin = setup_->basis->spin_of(block());
  for (std::size_t d = 0; d < fixed.size(); ++d)
    setup_->density_sum(spin, density_part(d))
        .contribute(*this, evaluation_ * spins + spin, fixed[d]);
}

void OrbitalPoints::potential(Ref<const PotentialMessage> message) {
  const auto place = static_cast<std::size_t>(message->part - density_part(0));
  potentials_[place] = std::move(message);
  if (!std::all_of(potentials_.begin(), potentials_.end(), [](const auto& one) { return !!one; }))
    return;
  apply_potential();
}

void OrbitalPoints::apply_potential() {
  charge_points(2, operations::potential_of_pair);
  {
    const PhaseTimer timer(potential_phase);
    const double scale = 1 / setup_->basis->grid_points();
    const auto row = static_cast<std::size_t>(slab().x_size() * slab().width());
    std::fill(turn_.begin(), turn_.end(), 0.0);
    for (int turn = 0; turn < slab().turns(); ++turn) {
      for_each_part(turn, [&](std::size_t d, std::size_t from, std::size_t to, std::size_t points) {
        const double* const values = potentials_[d]->trailing<double>() + from;
        for (std::size_t i = 0; i < points; ++i) turn_[to + i] = scale * values[i];
      });
      for (const auto& pair : rows_) {
        slab().there_and_back(pair->trailing<Number>(), turn, [&](int y, Number* points) {
          electrons::multiply_points(turn_.data() + static_cast<std::size_t>(y) * row, row, points);
        });
        drive_network_if_due();
      }
    }
  }
  for (auto& one : potentials_) one = {};
  for (auto& pair : rows_) {
    // Transforms of a block, there and back, are numbered in one row.
    pair->number = std::exchange(next_, next_ + setup_->basis->blocks());
    pair->route = fft::Route::forward;
    setup_->orbital_transforms.start(std::move(pair));
  }
}

int OrbitalPoints::density_part(std::size_t d) const noexcept {
  return part() * setup_->basis->density_parts_in_part() + static_cast<int>(d);
}

/// Visits the rows of consecutive z that a part of the density has of a turn. Calls visit(which
/// part, place in its points, place in the turn, points).
template <class Visit>
void OrbitalPoints::for_each_part(int turn, const Visit& visit) const {
  const Basis& basis = *setup_->basis;
  const int first_z = basis.points(part()).low[2];
  const fft::Range own = slab().z(turn);
  const auto nx = static_cast<std::size_t>(slab().x_size());
  const auto width = static_cast<std::size_t>(slab().width());
  for (std::size_t d = 0; d < potentials_.size(); ++d) {
    const fft::GridBox& box = basis.density_points(density_part(d));
    const int begin = std::max(own.begin, box.low[2] - first_z);
    const int end = std::min(own.end, box.high[2] - first_z);
    if (begin >= end) continue;
    const auto in_part = static_cast<std::size_t>(begin + first_z - box.low[2]);
    const auto in_turn = static_cast<std::size_t>(begin - own.begin);
    const auto nz = static_cast<std::size_t>(box.size(2));
    const auto ny = static_cast<std::size_t>(box.size(1));
    const auto first_y = static_cast<std::size_t>(box.low[1]);
    for (std::size_t x = 0; x < nx; ++x)
      for (std::size_t y = 0; y < ny; ++y)
        visit(d, (x * ny + y) * nz + in_part, ((first_y + y) * nx + x) * width + in_turn,
              static_cast<std::size_t>(end - begin));
  }
}

}  // namespace fg::ab_initio
