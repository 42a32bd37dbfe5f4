// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/leader/leader.hpp"

#include <chrono>
#include <cmath>
#include <string>
#include <utility>

#include "ab_initio/leader/setups.hpp"
#include "ab_initio/orders/force_numbers.hpp"
#include "base/error.hpp"

namespace fg::ab_initio {

namespace {

/// The time of one look for the dispersion; then other objects of the thread have their turn.
constexpr std::chrono::microseconds patience{200};

}  // namespace

Leader::Leader(std::shared_ptr<const LeaderSetup> setup)
    : setup_(std::move(setup)),
      ions_(*setup_->job, *setup_->tables,
            [this](std::int64_t density_order, Ref<const PlaceOrder> order, bool in_another_cell) {
              tell_places(density_order, std::move(order), in_another_cell);
            }) {
  if (setup_->job->dispersion) dispersion_.emplace(*setup_->job, setup_->companion_seconds);
}

bool Leader::is_stopped(std::int64_t number) const {
  if (setup_->progress->stop_wanted.load()) return true;
  return setup_->stop_after >= 0 && number >= setup_->stop_after;
}

bool Leader::checkpoint_wanted() const {
  return setup_->progress->checkpoint_wanted.exchange(false);
}

void Leader::tell_places(std::int64_t density_order, Ref<const PlaceOrder> order,
                         bool in_another_cell) const {
  setup_->all_densities.multicast_at<&Density::place>(density_order, order, Lane::high);
  if (setup_->placing.size() == 0) return;  // there are no projectors
  if (in_another_cell)
    setup_->changing_cell.multicast<&ProjectorWriter::change_cell>(std::move(order), Lane::high);
  else
    setup_->placing.multicast<&ProjectorWriter::place>(std::move(order), Lane::high);
}

void Leader::place(std::span<const Vec3> positions, const electrons::Lattice& cell) {
  if (dispersion_) dispersion_->ask(positions, cell);
  if (ions_.place(positions, cell, density_orders_)) ++density_orders_;
}

/// When there is nothing else to do: the electrons have been evaluated.
Task Leader::await_dispersion() {
  using Run = IonDispersion::Run;
  const auto run = [this] {
    return setup_->progress->stop_wanted.load() ? Run::is_to_stop : Run::goes_on;
  };
  while (!dispersion_->is_known(patience, run())) {
    self().send_at<&Leader::look_again>(looks_, 0.0, Lane::low);
    co_await when<&Leader::look_again>(looks_);
    ++looks_;
  }
}

Task Leader::evaluate(bool free_atoms, std::int64_t iteration) {
  co_await find_potential(free_atoms);
  if (dispersion_) co_await await_dispersion();
  orbital_energies_ = orbitals_;
  energy_ = energies().total();
  if (!std::isfinite(energy_))
    throw NumericsError({.what = "the energy of the electrons is not a number",
                         .where = iteration < 0 ? "" : "iteration " + std::to_string(iteration),
                         .hint = "look for ions that are too close to each other"});
}

Energies Leader::energies() const noexcept {
  return {.kinetic = orbital_energies_.kinetic,
          .hartree = density_.hartree,
          .local = density_.local,
          .alpha = density_.alpha,
          .nonlocal = orbital_energies_.nonlocal,
          .exchange_correlation = density_.exchange_correlation,
          .ewald = ions_.energy().energy,
          .dispersion = dispersion_ ? std::optional(dispersion_->answer().energy) : std::nullopt};
}

Task Leader::find_forces(Stress stress) {
  co_await sum_forces(stress);
  Virial virial = ions_.energy().virial;
  result_.forces = ions_.energy().forces;
  add_force_numbers(orbital_force_numbers_, result_.forces, virial);
  add_force_numbers(density_force_numbers_, result_.forces, virial);
  if (dispersion_)
    for (std::size_t i = 0; i < result_.forces.size(); ++i)
      result_.forces[i] += dispersion_->answer().forces[i];
  if (stress == Stress::left_out) co_return;
  virial_ = virial;
  const double scale = -1 / ions_.cell().volume();
  const auto [xx, yy, zz, xy, xz, yz] = virial;
  result_.stress = {xx, xy, xz, xy, yy, yz, xz, yz, zz};
  for (double& component : result_.stress) component *= scale;
  if (dispersion_) add_dispersion();
}

Task Leader::complete_result() {
  result_.energies = energies();
  result_.cell = ions_.cell();
  result_.positions = ions_.positions();
  result_.magnetization = {density_.magnetization, density_.absolute_magnetization};
  co_await find_forces(Stress::found);
  take_net_force();
}

void Leader::end_lives() {
  finish();
  runtime().expect_quiet();
}

/// Exchange and correlation are summed over the points of a grid. So the energy depends a little on
/// where all ions together are in it.
void Leader::take_net_force() {
  result_.net_force = {};
  for (const Vec3& force : result_.forces) result_.net_force += force;
  if (!setup_->job->electrons.removes_net_force) return;
  const Vec3 part = result_.net_force * (1 / static_cast<double>(result_.forces.size()));
  for (Vec3& force : result_.forces) force -= part;
}

/// Adds the dispersion to the stress, and to what moves a cell.
void Leader::add_dispersion() {
  const std::array<double, 9>& strain = dispersion_->answer().strain;
  for (std::size_t i = 0; i < result_.stress.size(); ++i)
    result_.stress[i] += strain[i] / ions_.cell().volume();
  constexpr std::size_t places[] = {0, 4, 8, 1, 2, 5};
  for (std::size_t i = 0; i < virial_.size(); ++i) virial_[i] -= strain[places[i]];
}

void Leader::orbital_sums(Ref<const ReductionMessage<double>> sums) {
  const auto v = sums->values();
  orbitals_ = {.kinetic = v[0], .nonlocal = v[1], .slope = v[2], .fictitious = v[3]};
}

Task Leader::find_eigenvalues() {
  setup_->ortho[{0, 0}].send<&Ortho::tell_eigenvalues>(orders_);
  co_await when<&Leader::orbital_energies>(orders_);
}

void Leader::orbital_energies(Ref<const OrbitalEnergiesMessage> energies) {
  const std::size_t n = energies->trailing_bytes() / sizeof(double);
  eigenvalues_.assign(energies->trailing<double>(), energies->trailing<double>() + n);
}

void Leader::search_products(Ref<const ReductionMessage<double>> sums) {
  products_ = SearchProducts::of(sums->values());
}

void Leader::largest(Ref<const ReductionMessage<double>> sums) {
  residual_ = sums->values()[0];
}

void Leader::density_sums(Ref<const ReductionMessage<double>> sums) {
  const auto v = sums->values();
  density_ = {.hartree = v[0],
              .local = v[1],
              .alpha = v[2],
              .exchange_correlation = v[3],
              .electrons = v[4],
              .magnetization = v[5],
              .absolute_magnetization = v[6]};
}

void Leader::orbital_forces(Ref<const ReductionMessage<double>> sums) {
  orbital_force_numbers_.assign(sums->values().begin(), sums->values().end());
}
void Leader::density_forces(Ref<const ReductionMessage<double>> sums) {
  density_force_numbers_.assign(sums->values().begin(), sums->values().end());
}

}  // namespace fg::ab_initio
