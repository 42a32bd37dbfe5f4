// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/density/density.hpp"

#include <algorithm>
#include <numbers>
#include <utility>

#include "ab_initio/density/setups.hpp"
#include "ab_initio/division/costs.hpp"
#include "ab_initio/orders/force_numbers.hpp"
#include "base/error.hpp"
#include "electrons/coulomb/hartree.hpp"
#include "electrons/coulomb/isolated_coulomb.hpp"
#include "electrons/exchange_correlation/density_gradient.hpp"
#include "runtime/simulated_time.hpp"

namespace fg::ab_initio {

namespace {

const Phase xc_phase{"exchange and correlation"};
const Phase waves_phase{"density in waves"};
const Phase lines_phase{"density: lines"};
const Phase ions_phase{"ions: local potential and core"};
const Phase tables_phase{"ions: local potential and core in a new cell"};
const Phase forces_phase{"forces and stress of the density"};

}  // namespace

Density::Density(std::shared_ptr<const DensitySetup> setup)
    : setup_(std::move(setup)),
      plane_waves_(setup_->basis->density_waves(part())),
      waves_(plane_waves_.now().size()),
      size_(setup_->basis->density_points(part()).volume()),
      local_field_(setup_->tables->local(plane_waves_.now())),
      core_field_(setup_->tables->core(plane_waves_.now())) {
  if (end_of_transforms(*setup_->basis) == fft::SphereEnd::rows)
    slab_.emplace(*setup_->basis->density_plan(), part());
  results_.resize(static_cast<std::size_t>(window(*setup_->job)));
  for (Points* points : {&density_, &energy_}) points->resize(size_);
  for (Waves* waves : {&rho_, &potential_, &hartree_, &local_, &core_}) waves->resize(waves_);
  if (setup_->job->electrons.spins == 2) {
    make_spins();
  } else {
    for (Points* points : {&with_core_, &by_density_}) points->resize(size_);
    for (Waves* waves : {&rho_with_core_, &xc_potential_}) waves->resize(waves_);
  }
  if (setup_->functional->uses_gradient() && !has_spin()) {
    for (Points* points : {&sigma_, &by_sigma_}) points->resize(size_);
    for (Points& points : gradient_) points.resize(size_);
    for (Waves& waves : flux_) waves.resize(waves_);
  }
}

Task Density::life() {
  if (setup_->fixed) {
    if (fixed_points_.empty()) co_await find_fixed_points();
  } else {
    if (setup_->job->isolated && screening_.empty()) co_await find_screening();
    if (setup_->ion_splines && !local_splines_) make_ion_splines();
  }
  for (;;) {
    const std::int64_t n = orders_++;
    co_await any_of(expect<&Density::place>(n), expect<&Density::evaluate>(n),
                    expect<&Density::forces>(n), expect<&Density::finish>(n));
    const Task what = std::exchange(what_, {});
    if (!what) co_return;
    co_await what;
  }
}

/// Local potential and core of the ions at their new positions.
Task Density::place_ions(Ref<const PlaceOrder> order) {
  if (setup_->fixed) co_return;
  placed_ = std::move(order);
  if (plane_waves_.follow(placed_->cell)) make_ion_tables();
  if (local_splines_) {
    co_await write_by_splines(&*local_splines_, &local_);
    if (core_splines_) co_await write_by_splines(&*core_splines_, &core_);
    co_return;
  }
  const PhaseTimer timer(ions_phase);
  local_field_.write(positions(), local_);
  if (setup_->tables->has_core()) core_field_.write(positions(), core_);
}

Task Density::find_potential(Ref<const EvaluateOrder> order) {
  number_ = order->number;
  co_await when<&Density::density>(order->evaluation);
  if (setup_->basis->spins() == 2) co_await when<&Density::density_down>(order->evaluation);
  if (setup_->fixed)
    use_fixed_potential();
  else
    co_await follow_density(order->free_atoms);
}

/// Called in another cell than before. A molecule without images has one cell for ever.
void Density::make_ion_tables() {
  FG_CHECK(!setup_->job->isolated);
  if (setup_->ion_splines) return make_ion_splines();
  const PhaseTimer timer(tables_phase);
  local_field_ = setup_->tables->local(plane_waves_.now());
  core_field_ = setup_->tables->core(plane_waves_.now());
}

double Density::volume() const noexcept {
  return plane_waves_.now().lattice().volume();
}

/// What a molecule without images has instead of its images.
Task Density::find_screening() {
  const Job& job = *setup_->job;
  const electrons::PlaneWaves& waves = plane_waves_.now();
  const electrons::IsolatedCoulomb coulomb(job.cell, 2 * job.largest_wave());
  const std::int64_t number = transforms_;
  coulomb.write_long_range(job.electrons.grid, setup_->basis->density_points(part()), density_);
  to_waves(density_, {});
  co_await when<&Density::transformed>(number);
  take_waves(*result(number), 0, rho_);
  screening_.resize(waves_);
  coulomb.write_screening(waves, rho_, screening_);
  if (setup_->ion_splines) co_return;
  local_field_ = setup_->tables->local(waves, screening_);
}

void Density::density(Ref<const ReductionMessage<std::int64_t>> sum) {
  const auto values = sum->values();
  Points& density = has_spin() ? spins_[0].density : density_;
  const double factor = thinning();
  for (std::size_t i = 0; i < size_; ++i)
    density[i] = static_cast<double>(values[i]) / density_scale * factor;
}

/// Electrons are summed up in the volume of the cell in which the waves were chosen.
double Density::thinning() const noexcept {
  return setup_->basis->wave_volume() / volume();
}

Task Density::follow_density(bool free_atoms) {
  const electrons::PlaneWaves& waves = plane_waves_.now();
  const std::int64_t first = transforms_;
  if (has_spin()) {
    co_await find_density_of_spins(free_atoms);
    co_await exchange_and_correlation_of_spins();
  } else {
    if (free_atoms) {
      setup_->tables->free_atoms(waves).write(positions(), rho_);
      to_points(rho_, {});
      co_await when<&Density::transformed>(first);
      take_points(*result(first), density_.data());
    } else {
      to_waves(density_, {});
      co_await when<&Density::transformed>(first);
      take_waves(*result(first), 0, rho_);
    }
    co_await exchange_and_correlation();
  }
  {
    const PhaseTimer timer(waves_phase);
    charge(Work::other, operations::hartree * static_cast<double>(waves_));
    sums_.hartree = electrons::hartree(waves, rho_, hartree_);
    if (setup_->job->isolated)
      sums_.hartree += electrons::screen_hartree(waves, screening_, rho_, hartree_);
    sums_.local = electrons::integral(waves, local_, rho_);
    const double alpha = setup_->tables->alpha() / volume();
    sums_.alpha = sums_.electrons = 0;
    if (has_spin())
      for (std::size_t i = 0; i < waves_; ++i) potential_[i] = hartree_[i] + local_[i];
    else
      for (std::size_t i = 0; i < waves_; ++i)
        potential_[i] = hartree_[i] + local_[i] + xc_potential_[i];
    if (waves.zero() >= 0) {
      const auto zero = static_cast<std::size_t>(waves.zero());
      sums_.electrons = rho_[zero].real() * volume();
      sums_.alpha = alpha * setup_->job->electrons_count();
      potential_[zero] += alpha;
    }
  }
  setup_->density_energies.contribute(*this, number_, sums_.values());
  if (has_spin())
    co_await send_potentials_of_spins();
  else
    co_await send_potential();
}

Task Density::exchange_and_correlation() {
  const electrons::PlaneWaves& waves = plane_waves_.now();
  const electrons::Functional& functional = *setup_->functional;
  std::copy(rho_.begin(), rho_.end(), rho_with_core_.begin());
  std::int64_t next = transforms_;
  if (setup_->tables->has_core()) {
    for (std::size_t i = 0; i < waves_; ++i) rho_with_core_[i] += core_[i];
    to_points(rho_with_core_, {});
    co_await when<&Density::transformed>(next);
    take_points(*result(next), with_core_.data());
    next = transforms_;
  } else {
    with_core_ = density_;
  }
  if (functional.uses_gradient()) {
    for (int axis = 0; axis < 3; ++axis)
      electrons::density_gradient(waves, axis, rho_with_core_, flux_[axis]);
    to_points(flux_[0], flux_[1]);
    to_points(flux_[2], {});
    co_await all_of(expect<&Density::transformed>(next), expect<&Density::transformed>(next + 1));
    take_points(*result(next), gradient_[0].data(), gradient_[1].data());
    take_points(*result(next + 1), gradient_[2].data());
    next = transforms_;
  }
  {
    const PhaseTimer timer(xc_phase);
    charge(Work::other, (functional.uses_gradient() ? operations::gradient_functional
                                                    : operations::local_functional) *
                            static_cast<double>(size_));
    if (functional.uses_gradient())
      electrons::squared_gradient({gradient_[0], gradient_[1], gradient_[2]}, sigma_);
    functional.evaluate({.density = with_core_, .sigma = sigma_},
                        {.energy = energy_, .by_density = by_density_, .by_sigma = by_sigma_});
    double energy = 0;
    for (const double e : energy_) energy += e;
    sums_.exchange_correlation = energy * volume() / setup_->basis->grid_points();
  }
  if (!functional.uses_gradient()) {
    to_waves(by_density_, {});
    co_await when<&Density::transformed>(next);
    take_waves(*result(next), 0, xc_potential_);
    co_return;
  }
  products_ = {};
  electrons::add_gradient_products(by_sigma_, {gradient_[0], gradient_[1], gradient_[2]},
                                   products_);
  electrons::gradient_to_flow(by_sigma_, {gradient_[0], gradient_[1], gradient_[2]});
  to_waves(by_density_, gradient_[0]);
  to_waves(gradient_[1], gradient_[2]);
  co_await all_of(expect<&Density::transformed>(next), expect<&Density::transformed>(next + 1));
  const auto first = result(next), second = result(next + 1);
  take_waves(*first, 0, xc_potential_);
  take_waves(*first, 1, flux_[0]);
  take_waves(*second, 0, flux_[1]);
  take_waves(*second, 1, flux_[2]);
  electrons::subtract_divergence(waves, {flux_[0], flux_[1], flux_[2]}, xc_potential_);
}

Task Density::send_potential() {
  const std::int64_t number = transforms_;
  to_points(potential_, {});
  co_await when<&Density::transformed>(number);
  auto message = make_message<PotentialMessage>(size_ * sizeof(double));
  message->part = part();
  take_points(*result(number), message->trailing<double>());
  setup_->points_of[static_cast<std::size_t>(part() / setup_->basis->density_parts_in_part())]
      .multicast<&OrbitalPoints::potential>(std::move(message));
}

/// A molecule without images has no virial.
Task Density::find_forces(Ref<const ForcesOrder> order) {
  number_ = order->number;
  finds_virial_ = order->stress == Stress::found && !setup_->job->isolated;
  if (setup_->fixed)
    contribute_no_forces();
  else
    co_await add_up_forces();
}

Task Density::add_up_forces() {
  if (has_spin()) xc_potential_ = mean_xc_potential();
  forces_.assign(positions().size(), {});
  virial_ = {};
  if (local_splines_) {
    co_await add_by_splines(&*local_splines_, &rho_);
    if (core_splines_) co_await add_by_splines(&*core_splines_, &xc_potential_);
  } else {
    const PhaseTimer timer(forces_phase);
    local_field_.add_forces(positions(), rho_, forces_);
    if (setup_->tables->has_core()) core_field_.add_forces(positions(), xc_potential_, forces_);
  }
  if (finds_virial_) add_up_virial();
  setup_->density_forces.contribute(*this, number_, force_numbers(forces_, virial_));
}

void Density::add_up_virial() {
  const electrons::PlaneWaves& waves = plane_waves_.now();
  if (!local_splines_) {
    local_field_.add_virial(positions(), rho_, virial_);
    if (setup_->tables->has_core()) core_field_.add_virial(positions(), xc_potential_, virial_);
  }
  electrons::add_hartree_virial(waves, rho_, hartree_, virial_);
  double potential = 0;
  if (!has_spin()) potential = electrons::integral(waves, xc_potential_, rho_with_core_);
  for (const OfSpin& one : spins_)
    potential += electrons::integral(waves, one.xc_potential, one.rho_with_core);
  const Virial xc = electrons::xc_virial({.energy = sums_.exchange_correlation,
                                          .potential = potential,
                                          .element = volume() / setup_->basis->grid_points(),
                                          .products = products_});
  for (std::size_t i = 0; i < virial_.size(); ++i) virial_[i] += xc[i];
  for (std::size_t axis = 0; axis < 3; ++axis) virial_[axis] += sums_.local + sums_.alpha;
}

void Density::to_waves(std::span<const double> first, std::span<const double> second) {
  auto field = setup_->density_transforms.field(part(), transforms_++, fft::Route::forward);
  charge(lines_phase, Work::transforms,
         setup_->density_costs.planes[static_cast<std::size_t>(part())]);
  {
    const PhaseTimer timer(lines_phase);
    const auto write = [&](std::size_t from, Number* points, std::size_t count) {
      for (std::size_t i = 0; i < count; ++i)
        points[i] = {first[from + i], second.empty() ? 0.0 : second[from + i]};
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

void Density::to_points(std::span<const Number> first, std::span<const Number> second) {
  auto field = setup_->density_transforms.field(part(), transforms_++, fft::Route::backward);
  Number* const to = field->trailing<Number>();
  std::copy(first.begin(), first.end(), to);
  if (second.empty())
    std::fill_n(to + waves_, waves_, Number());
  else
    std::copy(second.begin(), second.end(), to + waves_);
  charge(lines_phase, Work::transforms,
         setup_->density_costs.columns[static_cast<std::size_t>(part())]);
  setup_->density_transforms.start(std::move(field));
}

void Density::transformed(Ref<const fft::FieldMessage> result) {
  const TransformCosts& costs = setup_->density_costs;
  charge(lines_phase, Work::transforms,
         (result->route == fft::Route::forward ? costs.columns
                                               : costs.planes)[static_cast<std::size_t>(part())]);
  const auto place = static_cast<std::size_t>(result->number) % results_.size();
  results_[place] = std::move(result);
}

Ref<const fft::FieldMessage> Density::result(std::int64_t number) {
  return std::exchange(results_[static_cast<std::size_t>(number) % results_.size()], {});
}

void Density::take_waves(const fft::FieldMessage& from, int which, Waves& waves) const {
  const Number* const values = from.trailing<Number>() + static_cast<std::size_t>(which) * waves_;
  const double scale = 1 / setup_->basis->grid_points();
  for (std::size_t i = 0; i < waves_; ++i) waves[i] = scale * values[i];
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

/// Consecutive z of a turn for one y: visit(place in points of the part, place in those of the
/// turn, points).
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
