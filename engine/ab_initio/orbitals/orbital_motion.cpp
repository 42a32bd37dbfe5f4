// SPDX-License-Identifier: BSD-3-Clause
//
// The orders of a dynamics (car_parrinello.hpp), as orbitals follow them.
#include "ab_initio/orbitals/orbital_motion.hpp"

#include <algorithm>

#include "ab_initio/division/costs.hpp"
#include "ab_initio/orbitals/block_work.hpp"
#include "ab_initio/orbitals/kept_dynamics.hpp"
#include "ab_initio/orbitals/motion_lines.hpp"
#include "ab_initio/orbitals/orbital_lines.hpp"
#include "ab_initio/orbitals/orbitals.hpp"
#include "ab_initio/orbitals/setups.hpp"
#include "electrons/waves/fictitious_mass.hpp"

namespace fg::ab_initio {

OrbitalMotion::OrbitalMotion(const Job& job, const electrons::PlaneWaves& waves)
    : is_free(job.dynamics.orthonormality == Orthonormality::free) {
  const std::vector<double> of_waves = electrons::masses_of_waves(
      {.mass = job.dynamics.fictitious_mass, .cutoff = job.dynamics.mass_cutoff},
      job.kinetic_squares(waves.squares()));
  for (const double mass : of_waves) masses.insert(masses.end(), {mass, mass});
}

void OrbitalMotion::begin(std::size_t size) {
  velocity.assign(size, 0);
  if (!is_free) return;
  chi.resize(size);
  force.resize(size);
}

void Orbitals::rest(std::int64_t number) {
  begin(number);
  moves_ = true;
  drop_memory_of_search();
  psi_ = base_;
  motion_->begin(psi_.size());
  if (motion_->is_free) motion_->chi = base_;
  answer();
}

void Orbitals::resume(Ref<const ResumeOrder> order) {
  begin(order->number);
  moves_ = motion_ != nullptr;
  if (base_.empty()) take_memory_of_search();
  const auto& indices = setup_->basis->waves(part()).indices();
  const fft::Range rows = setup_->basis->block(block());
  const auto read = [&](const std::string& table, Vector& to) {
    setup_->stored->read<double>(table, rows, indices, {numbers(to.data()), 2 * to.size()});
  };
  read(kept::orbitals, psi_);
  base_ = psi_;
  memory_.clear();
  for (int age = order->past - 1; age >= 0; --age) {
    remember_base();
    read(kept::past(age), past_[newest_past_]);
  }
  if (moves_) {
    motion_->begin(psi_.size());
    read(kept::velocity, motion_->velocity);
    if (motion_->is_free) read(kept::free, motion_->chi);
  }
  answer();
}

/// All but H psi of an orbital, or the force on a free one.
Drift Orbitals::drift_of(const DriftOrder& order) const {
  charge_vectors(3 * operations::sum);
  return {.h = nullptr,
          .masses = motion_->masses.data(),
          .velocity_scale = order.velocity_scale,
          .force_time = occupation() * order.timestep / 2,
          .timestep = order.timestep};
}

void Orbitals::drift(Ref<const DriftOrder> order) {
  begin(order->number);
  Drift of = drift_of(*order);
  std::swap(psi_, base_);
  auto message = new_block(block_work::drift, 2);
  const std::size_t n = 2 * waves_;
  double* pulled = numbers(message->trailing<Number>());
  double* moved = pulled + 2 * psi_.size();
  for (int i = 0; i < orbitals_; ++i, pulled += n, moved += n) {
    of.h = numbers(row(h_psi_, i).data());
    drift_line(of, numbers(row(base_, i).data()), n, numbers(row(motion_->velocity, i).data()),
               moved, pulled);
  }
  motion_->moved = message;
  motion_->timestep = order->timestep;
  take_product_ = &Orbitals::constrain;
  send(std::move(message));
}

void Orbitals::free_drift(Ref<const DriftOrder> order) {
  begin(order->number);
  Drift of = drift_of(*order);
  for (int i = 0; i < orbitals_; ++i) {
    of.h = numbers(row(motion_->force, i).data());
    free_drift_line(of, 2 * waves_, numbers(row(motion_->velocity, i).data()),
                    numbers(row(motion_->chi, i).data()));
  }
  take_product_ = &Orbitals::take_orbitals;
  send_block(block_work::own_overlaps, {&motion_->chi});
}

/// `by`: what the forces of constraint have moved the orbitals by.
void Orbitals::constrain(const double* by) {
  charge_vectors(2 * operations::sum);
  const Number* const moved = motion_->moved->trailing<Number>() + psi_.size();
  constrain_line(numbers(moved), by, motion_->timestep, 2 * psi_.size(),
                 numbers(motion_->velocity.data()), numbers(psi_.data()));
  motion_->moved = {};
}

void Orbitals::free_force(std::int64_t number) {
  begin(number);
  take_product_ = &Orbitals::take_force;
  send_block(block_work::free_force, {&h_psi_, &psi_});
}

void Orbitals::take_force(const double* force) {
  std::copy_n(force, 2 * psi_.size(), numbers(motion_->force.data()));
}

void Orbitals::kick(Ref<const KickOrder> order) {
  begin(order->number);
  charge_vectors(operations::sum + operations::product_of_vectors);
  const Vector& h = motion_->is_free ? motion_->force : h_psi_;
  for (int i = 0; i < orbitals_; ++i) {
    auto velocity = row(motion_->velocity, i);
    const double sum =
        kick_line(numbers(row(h, i).data()), motion_->masses.data(),
                  occupation() * order->timestep / 2, 2 * waves_, numbers(velocity.data()));
    sums_.fictitious += fictitious_kinetic(sum, velocity);
  }
  answer();
}

void Orbitals::reset(std::int64_t number) {
  begin(number);
  take_product_ = &Orbitals::take_velocities;
  send_block(block_work::reset, {&motion_->velocity, &motion_->chi});
}

/// The velocities after a reset; the same sum as that of a kick.
void Orbitals::take_velocities(const double* velocities) {
  std::copy_n(velocities, 2 * psi_.size(), numbers(motion_->velocity.data()));
  motion_->chi = psi_;
  for (int i = 0; i < orbitals_; ++i) {
    auto velocity = row(motion_->velocity, i);
    const double sum = kick_line(numbers(row(motion_->force, i).data()), motion_->masses.data(), 0,
                                 2 * waves_, numbers(velocity.data()));
    sums_.fictitious += fictitious_kinetic(sum, velocity);
  }
}

/// A wave counts twice, G = 0 once.
double Orbitals::fictitious_kinetic(double sum, std::span<const Number> velocity) const noexcept {
  if (zero() < 0) return 2 * sum;
  const auto place = static_cast<std::size_t>(zero());
  return 2 * sum - motion_->masses[2 * place] * std::norm(velocity[place]);
}

/// <c|v> and <c|p>, where p are the orbitals over the masses.
void Orbitals::project(std::int64_t number) {
  begin(number);
  const Vector* const left = &psi_;
  send_vectors(block_work::project, {&left, 1}, 0);
  auto message = new_block(block_work::project, 2, 1);
  auto* to = message->trailing<Number>();
  to = std::copy(motion_->velocity.begin(), motion_->velocity.end(), to);
  for (int i = 0; i < orbitals_; ++i) {
    const auto from = row(psi_, i);
    for (std::size_t k = 0; k < waves_; ++k) *to++ = from[k] / motion_->masses[2 * k];
  }
  send(std::move(message));
  answer();
}

}  // namespace fg::ab_initio
