// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/ions/ion_motion.hpp"

#include <algorithm>

#include "ab_initio/job/baths.hpp"
#include "ab_initio/job/ion_distances.hpp"
#include "base/error.hpp"

namespace fg::ab_initio {

IonMotion::IonMotion(const Job& job) : job_(job), constraints_(make_ion_constraints(job)) {
  make_baths();
}

void IonMotion::make_baths() {
  bath_ = make_ion_bath(job_.dynamics, job_.positions.size());
  lattice_ = job_.cell;
  cell_.reset();
  if (moves_cell(job_.dynamics)) cell_.emplace(job_.dynamics.cell, job_.cell.vectors);
}

void IonMotion::begin(std::span<const Vec3> positions) {
  positions_.assign(positions.begin(), positions.end());
  velocities_ = job_.velocities;
  velocities_.resize(positions_.size());
  Vec3 momentum{};
  double mass = 0;
  for (std::size_t i = 0; i < velocities_.size(); ++i) {
    momentum += job_.masses[i] * velocities_[i];
    mass += job_.masses[i];
  }
  for (Vec3& velocity : velocities_) velocity -= momentum * (1 / mass);
  constraints_.apply_to_velocities(ions());
  make_baths();
}

void IonMotion::restore(std::span<const Vec3> positions, std::span<const Vec3> velocities,
                        const IonBathState& bath) {
  FG_CHECK(positions.size() == job_.masses.size() && velocities.size() == positions.size());
  positions_.assign(positions.begin(), positions.end());
  velocities_.assign(velocities.begin(), velocities.end());
  make_baths();
  bath_->restore(bath);
}

void IonMotion::restore_cell(const electrons::Lattice& cell, const CellMotionState& state) {
  if (!cell_) return;
  cell_->restore(cell.vectors, state);
  lattice_ = cell;
}

void IonMotion::push(std::span<const Vec3> forces) noexcept {
  for (std::size_t i = 0; i < velocities_.size(); ++i)
    velocities_[i] += forces[i] * (job_.dynamics.timestep / (2 * job_.masses[i]));
}

void IonMotion::move(std::int64_t step, std::span<const Vec3> forces, const Virial& virial) {
  const double half = job_.dynamics.timestep / 2;
  bath_->begin(step, ions());
  push(forces);
  if (!cell_) return drift(step);
  cell_->slow_down(half);
  cell_->kick(virial, half);
  cell_->stretch(ions(), half);
  // Noise in the middle of a drift changes velocities; each half of the push has its own.
  cell_->push(ions(), half);
  drift(step);
  cell_->push(ions(), half);
  cell_->stretch(ions(), half);
  lattice_.vectors = cell_->vectors();
}

void IonMotion::drift(std::int64_t step) {
  const bool is_free = constraints_.count() == 0;
  if (job_.dynamics.ion_bath.kind != IonBathKind::none)
    return is_free ? bath_->drift(step, ions()) : bath_->drift(step, ions(), constraints_);
  // Also back, with a time step below 0.
  if (!is_free) previous_ = positions_;
  for (std::size_t i = 0; i < positions_.size(); ++i)
    positions_[i] += velocities_[i] * job_.dynamics.timestep;
  if (!is_free) constraints_.apply_to_positions(previous_, ions(), job_.dynamics.timestep);
}

void IonMotion::kick(std::int64_t step, std::span<const Vec3> forces, const Virial& virial) {
  push(forces);
  constraints_.apply_to_velocities(ions());
  if (cell_) {
    cell_->kick(virial, job_.dynamics.timestep / 2);
    cell_->slow_down(job_.dynamics.timestep / 2);
  }
  bath_->end(step, ions());
}

std::vector<double> IonMotion::constraint_forces(std::span<const Vec3> forces) const {
  return fg::constraint_forces(constraints_.pairs(positions_), job_.masses, velocities_, forces);
}

double IonMotion::kinetic_energy() const noexcept {
  double sum = 0;
  for (std::size_t i = 0; i < velocities_.size(); ++i)
    sum += job_.masses[i] * dot(velocities_[i], velocities_[i]) / 2;
  return sum;
}

double IonMotion::pressure(const Virial& virial) const noexcept {
  const double trace = virial[0] + virial[1] + virial[2];
  return (2 * kinetic_energy() + trace) / (3 * lattice_.volume());
}

double IonMotion::temperature() const noexcept {
  return 2 * kinetic_energy() /
         std::max(ion_degrees_of_freedom(job_.dynamics, positions_.size()), 1);
}

}  // namespace fg::ab_initio
