// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/orbitals/orbitals.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "ab_initio/division/costs.hpp"
#include "ab_initio/orbitals/kept_dynamics.hpp"
#include "ab_initio/orbitals/orbital_lines.hpp"
#include "ab_initio/orbitals/setups.hpp"
#include "ab_initio/orders/force_numbers.hpp"
#include "base/error.hpp"
#include "electrons/orbitals/orbital_start.hpp"
#include "electrons/waves/wave_virial.hpp"
#include "runtime/simulated/simulated_time.hpp"

namespace fg::ab_initio {

namespace {

const Phase forces_phase{"forces and stress of orbitals"};
const Phase transforms_phase{"orbitals: waves to transforms"};
const Phase columns_phase{"orbitals: lines along z"};
const Phase nonlocal_phase{"projectors"};
const Phase vectors_phase{"vectors of orbitals"};

/// The disturbance of atomic orbitals at the start. Atoms at symmetric places give orbitals of the
/// same symmetry, and the search would end in the lowest state of that symmetry. It may be a
/// saddle: eight waters at 12 Ry ended 0.16 hartree too high. More than this costs iterations where
/// there is no saddle.
constexpr double disturbance = 1e-3;

}  // namespace

Orbitals::Orbitals(std::shared_ptr<const OrbitalsSetup> setup)
    : setup_(std::move(setup)),
      orbitals_(setup_->basis->block(block()).size()),
      plane_waves_(setup_->basis->waves(part())),
      waves_(plane_waves_.now().size()),
      memory_(orbitals_, setup_->job->kinetic_squares(plane_waves_.now().squares()),
              plane_waves_.now().zero()),
      below_(static_cast<std::size_t>(orbitals_)) {
  applied_.reserve(static_cast<std::size_t>(setup_->basis->pairs(block())));
  coupled_.resize(setup_->projector_count * static_cast<std::size_t>(orbitals_));
  products_.resize(
      static_cast<std::size_t>(setup_->basis->pair_groups() * setup_->basis->chunks_in_part()));
  if (setup_->splines) splines_.emplace(*setup_, block(), part());
  if (setup_->job->dynamics.kind == DynamicsKind::car_parrinello)
    motion_ = std::make_unique<OrbitalMotion>(*setup_->job, setup_->basis->waves(part()));
}

const electrons::Projectors& Orbitals::projectors() const noexcept {
  return *setup_->projectors[static_cast<std::size_t>(part())];
}

double Orbitals::occupation() const noexcept {
  return setup_->job->occupation();
}

std::span<const Orbitals::Number> Orbitals::row(const Vector& of, int orbital) const noexcept {
  return std::span(of).subspan(static_cast<std::size_t>(orbital) * waves_, waves_);
}
std::span<Orbitals::Number> Orbitals::row(Vector& of, int orbital) const noexcept {
  return std::span(of).subspan(static_cast<std::size_t>(orbital) * waves_, waves_);
}

/// Called by the thread that will use the memory, while other threads take theirs. To take large
/// vectors is as slow as many passes over them, and constructors of all objects run one after the
/// other.
void Orbitals::take_memory() {
  const std::size_t size = static_cast<std::size_t>(orbitals_) * waves_;
  for (Vector* vector : {&psi_, &h_psi_}) vector->assign(size, Number());
  if (products_.size() > 1) sum_.resize(size);
}

/// The vectors of a search take the place of the atomic orbitals. Moving orbitals have no search.
void Orbitals::take_memory_of_search() {
  std::vector<Vector> free;
  for (auto& set : kept_)
    for (Vector& vector : set) free.push_back(std::move(vector));
  kept_.clear();
  const auto take = [&](Vector& vector) {
    if (!free.empty()) {
      vector = std::move(free.back());
      free.pop_back();
    }
    vector.assign(psi_.size(), Number());
  };
  take(base_);
  if (motion_) take(gradient_);
  if (moves_) return;
  take(base_gradient_);
  take(direction_);
}

void Orbitals::drop_memory_of_search() {
  base_gradient_ = {};
  direction_ = {};
  memory_.drop();
}

/// Called by all orders.
void Orbitals::begin(std::int64_t number) {
  if (psi_.empty()) take_memory();
  number_ = number;
  sums_ = {};
}

/// The cell may be another one than that of the last order that needs one.
void Orbitals::follow(const electrons::Lattice& cell) {
  if (plane_waves_.follow(cell))
    memory_.set_squares(setup_->job->kinetic_squares(plane_waves_.now().squares()));
}

void Orbitals::random(Ref<const RandomOrder> order) {
  begin(order->number);
  follow(order->cell);
  write_random(0);
  answer();
}

void Orbitals::last(std::int64_t number) {
  begin(number);
  psi_ = coefficients();
  memory_.clear();
  answer();
}

/// Random numbers for all orbitals from the one on that has this number in the block.
void Orbitals::write_random(int first) {
  if (first >= orbitals_) return;
  electrons::random_orbitals(plane_waves_.now(), setup_->job->ground_state.seed,
                             {static_cast<std::size_t>(setup_->basis->block(block()).begin + first),
                              static_cast<std::size_t>(orbitals_ - first)},
                             std::span(psi_).subspan(static_cast<std::size_t>(first) * waves_));
}

void Orbitals::atomic(Ref<const AtomicOrder> order) {
  begin(order->number);
  follow(order->cell);
  const electrons::AtomicOrbitals& atomic = setup_->tables->orbitals();
  const fft::Range& own = setup_->basis->orbitals_of_spin(setup_->basis->spin_of(block()));
  const int first = order->set * own.size() + setup_->basis->block(block()).begin - own.begin;
  const int count = std::clamp(static_cast<int>(atomic.count()) - first, 0, orbitals_);
  if (count > 0) {
    const electrons::PlaneWaves& waves = plane_waves_.now();
    const electrons::OrbitalRange range{static_cast<std::size_t>(first),
                                        static_cast<std::size_t>(count)};
    const auto block = std::span(psi_).first(range.count * waves_);
    atomic.write(waves, positions_of(*order), range, block);
    electrons::disturb_orbitals(waves, setup_->job->ground_state.seed, disturbance, range, block);
  }
  write_random(count);
  answer();
}

void Orbitals::keep(std::int64_t number) {
  begin(number);
  kept_.push_back({std::move(psi_), std::move(h_psi_)});
  take_memory();
  answer();
}

/// What a file does not have of the memory of a search, the search did not use.
void Orbitals::stored(Ref<const StoredOrder> order) {
  begin(order->number);
  take_memory_of_search();
  const auto& indices = setup_->basis->waves(part()).indices();
  const fft::Range rows = setup_->basis->block(block());
  setup_->stored->read<double>(kept::orbitals, rows, indices,
                               {numbers(psi_.data()), 2 * psi_.size()});
  memory_.clear();
  for (int age = order->pairs - 1; age >= 0; --age) {
    SearchMemory::Pair& pair = memory_.next();
    setup_->stored->read<float>(kept::step(age), rows, indices, pair.step);
    setup_->stored->read<float>(kept::change(age), rows, indices, pair.change);
  }
  answer();
}

/// Remembers them in the place of the oldest ones.
void Orbitals::remember_base() {
  past_.resize(static_cast<std::size_t>(past_orbitals(*setup_->job)));
  newest_past_ = (newest_past_ + 1) % past_.size();
  past_[newest_past_] = base_;
}

void Orbitals::remember(std::int64_t number) {
  begin(number);
  remember_base();
  answer();
}

void Orbitals::predict(Ref<const PredictOrder> order) {
  begin(order->number);
  charge_vectors(order->past * operations::sum);
  std::fill(psi_.begin(), psi_.end(), Number());
  for (std::size_t age = 0; age < static_cast<std::size_t>(order->past); ++age) {
    const Vector& old = past(static_cast<int>(age));
    const double share = order->by_past[age];
    for (std::size_t i = 0; i < psi_.size(); ++i) psi_[i] += share * old[i];
  }
  answer();
}

void Orbitals::evaluate(Ref<const EvaluateOrder> order) {
  begin(order->number);
  follow(order->cell);
  const int pairs = setup_->basis->pairs(block());
  awaited_ = pairs;
  charge_vectors(operations::kinetic + operations::sum);
  const auto squares = memory_.squares();
  for (int pair = 0; pair < pairs; ++pair) {
    start_transform(pair);
    // While they are in the cache.
    for (int i = 2 * pair; i < std::min(2 * pair + 2, orbitals_); ++i)
      sums_.kinetic += occupation() * kinetic_line(squares.data(), numbers(row(psi_, i).data()),
                                                   squares.size(), numbers(row(h_psi_, i).data()));
  }
  // The points start the transforms back, of the potential times orbitals.
  transforms_ += pairs;
  if (setup_->job->electrons.effective_cutoff && zero() >= 0) {
    // The line has counted each wave twice, for G and -G, and here G = 0 has an energy.
    const auto place = static_cast<std::size_t>(zero());
    for (int i = 0; i < orbitals_; ++i)
      sums_.kinetic -= occupation() * squares[2 * place] / 2 * std::norm(row(psi_, i)[place]);
  }
  projected_ = setup_->projector_count == 0;
  if (projected_) return;
  awaited_ += splines_ ? 2 : 1;  // with splines, energy and waves
  waits_for_ions_ = placement_ < order->placement;
  if (!waits_for_ions_) begin_nonlocal();
}

void Orbitals::placed(Ref<const ReductionMessage<double>> rows) {
  FG_CHECK(rows->values()[0] == static_cast<double>(setup_->projector_count));
  placement_ = rows->step;
  if (std::exchange(waits_for_ions_, false)) begin_nonlocal();
}

void Orbitals::begin_nonlocal() {
  if (splines_) return splines_->begin(psi_);
  charge(nonlocal_phase, Work::products,
         block_product(static_cast<int>(setup_->projector_count), orbitals_, waves_));
  projectors().project(psi_, static_cast<std::size_t>(orbitals_), coupled_);
  setup_->projections[static_cast<std::size_t>(block())].contribute(*this, number_, coupled_);
}

/// Starts the transform of two orbitals.
void Orbitals::start_transform(int pair) {
  const PhaseTimer timer(transforms_phase);
  const auto& transforms = setup_->orbital_transforms;
  const std::int64_t number = transforms_++ * setup_->basis->blocks() + block();
  auto field = transforms.field(part(), number, fft::Route::backward);
  Number* const to = field->trailing<Number>();
  const int orbitals = std::min(2, orbitals_ - 2 * pair);
  const std::size_t count = static_cast<std::size_t>(orbitals) * waves_;
  std::copy_n(row(psi_, 2 * pair).data(), count, to);
  std::fill(to + count, to + 2 * waves_, Number());
  charge(columns_phase, Work::transforms,
         setup_->orbital_costs.columns[static_cast<std::size_t>(part())]);
  transforms.start(std::move(field));
}

void Orbitals::projected(Ref<const ReductionMessage<double>> sums) {
  const auto orbitals = static_cast<std::size_t>(orbitals_);
  const auto& coupling = splines_ ? setup_->splines->coupling() : projectors().coupling();
  coupling.couple(sums->values(), orbitals, coupled_);
  // All parts have the same sums; one of them counts.
  if (part() == 0)
    sums_.nonlocal = electrons::nonlocal_energy(sums->values(), coupled_, occupation());
  if (!splines_) {
    charge(nonlocal_phase, Work::products,
           block_product(static_cast<int>(setup_->projector_count), orbitals_, waves_));
    projectors().apply(coupled_, orbitals, h_psi_);
    add_potentials();
  }
  if (--awaited_ == 0) answer();
}

/// Adds the potentials that have come before the nonlocal part was complete.
void Orbitals::add_potentials() {
  projected_ = true;
  for (auto& one : applied_) add_potential(*one);
  applied_.clear();
}

void Orbitals::spline_points_taken() {
  splines_->go_on(psi_);
}

void Orbitals::spline_waves(Ref<const fft::FieldMessage> waves) {
  const bool of_forces = splines_->finds_virial();
  if (!splines_->take(std::move(waves), of_forces ? coefficients() : psi_, h_psi_)) return;
  if (!of_forces) add_potentials();
  if (--awaited_ > 0) return;
  of_forces ? contribute_forces() : answer();
}

void Orbitals::spline_forces(Ref<const SplineForcesMessage> message) {
  const double* const values = message->trailing<double>();
  for (std::size_t ion = 0; ion < forces_.size(); ++ion)
    forces_[ion] += {values[3 * ion], values[3 * ion + 1], values[3 * ion + 2]};
  if (--awaited_ == 0) contribute_forces();
}

void Orbitals::applied(Ref<const fft::FieldMessage> result) {
  charge(columns_phase, Work::transforms,
         setup_->orbital_costs.columns[static_cast<std::size_t>(part())]);
  // In the order kinetic, nonlocal, local, whichever comes first.
  if (projected_)
    add_potential(*result);
  else
    applied_.push_back(std::move(result));
  if (--awaited_ == 0) answer();
}

void Orbitals::add_potential(const fft::FieldMessage& waves) {
  const int pairs = setup_->basis->pairs(block());
  const auto pair = static_cast<int>((waves.number / setup_->basis->blocks()) % pairs);
  const int orbitals = std::min(2, orbitals_ - 2 * pair);
  const Number* const from = waves.trailing<Number>();
  Number* const to = row(h_psi_, 2 * pair).data();
  for (std::size_t i = 0; i < static_cast<std::size_t>(orbitals) * waves_; ++i) to[i] += from[i];
}

std::ptrdiff_t Orbitals::zero() const noexcept {
  return plane_waves_.now().zero();
}

void Orbitals::forces(Ref<const ForcesOrder> order) {
  begin(order->number);
  const PhaseTimer timer(forces_phase);
  forces_.assign(setup_->job->species_of.size(), {});
  virial_ = {};
  finds_virial_ = order->stress == Stress::found;
  if (finds_virial_) charge_vectors(operations::product_of_vectors);
  if (finds_virial_)
    electrons::add_kinetic_virial(plane_waves_.now(), coefficients(),
                                  static_cast<std::size_t>(orbitals_), occupation(), virial_,
                                  setup_->job->kinetic_slopes(plane_waves_.now().squares()));
  if (splines_) {
    awaited_ = finds_virial_ ? 2 : 1;  // forces, and waves for the virial
    if (finds_virial_) splines_->expect_virial();
    return setup_->spline_points[{block(), part()}].send<&SplinePoints::forces>(finds_virial_);
  }
  if (setup_->projector_count > 0) {
    charge(Work::products, setup_->ion_costs.products_of_forces(orbitals_, waves_));
    charge(Work::ions, setup_->ion_costs.sums_of_forces(waves_));
    const auto orbitals = static_cast<std::size_t>(orbitals_);
    projectors().add_forces(coupled_, coefficients(), orbitals, occupation(), forces_);
    if (finds_virial_) {
      charge(Work::products, setup_->ion_costs.products_of_forces(orbitals_, waves_));
      charge(Work::ions, setup_->ion_costs.virial_of_projectors(waves_));
      projectors().add_virial(coupled_, coefficients(), orbitals, occupation(), virial_);
    }
  }
  contribute_forces();
}

void Orbitals::contribute_forces() {
  if (splines_ && finds_virial_) {
    charge(forces_phase, Work::ions, setup_->ion_costs.virial_of_kinds(waves_));
    splines_->add_virial(virial_);
  }
  setup_->orbital_forces.contribute(*this, number_, force_numbers(forces_, virial_));
}

void Orbitals::charge_vectors(double operations) const {
  charge(vectors_phase, Work::other, operations * static_cast<double>(psi_.size()));
}

void Orbitals::answer() {
  setup_->orbital_sums.contribute(*this, number_, sums_.values());
  setup_->largest.contribute(*this, number_, {residual_});
}

}  // namespace fg::ab_initio
