// SPDX-License-Identifier: BSD-3-Clause
//
// The orders that the leader gives. Each one says which objects take part in it, and which answers
// it awaits.
#include <algorithm>
#include <utility>

#include "ab_initio/leader/leader.hpp"
#include "ab_initio/leader/setups.hpp"
#include "base/error.hpp"

namespace fg::ab_initio {

template <class Order>
Ref<Order> Leader::make(std::size_t trailing_bytes) const {
  auto order = make_message<Order>(trailing_bytes);
  order->number = orders_;
  return order;
}

template <class Order>
Ref<Order> Leader::make_at(std::int64_t step) const {
  auto order = make<Order>();
  order->step = step;
  return order;
}

template <auto Entry, class Order>
void Leader::to_orbitals(const Order& order) const {
  setup_->all_orbitals.multicast<Entry>(order, Lane::high);
}

template <auto Entry, class... Order>
void Leader::to_matrices(const Order&... order) {
  setup_->all_tiles.multicast_at<Entry>(matrix_orders_++, order..., Lane::high);
}

template <auto Entry, class... Order>
void Leader::to_density(const Order&... order) {
  setup_->all_densities.multicast_at<Entry>(density_orders_++, order..., Lane::high);
}

/// The sums that orbitals answer with, and what others answer besides.
template <auto... Others>
Task Leader::answers() {
  co_await all_of(expect<&Leader::orbital_sums>(orders_), expect<&Leader::largest>(orders_),
                  expect<Others>(orders_)...);
  ++orders_;
}

Task Leader::random() {
  const auto order = make<RandomOrder>();
  order->cell = ions_.cell();
  to_orbitals<&Orbitals::random>(order);
  return answers<>();
}

Task Leader::last() {
  to_orbitals<&Orbitals::last>(orders_);
  return answers<>();
}

Task Leader::stored(int pairs) {
  const auto order = make<StoredOrder>();
  order->pairs = pairs;
  to_orbitals<&Orbitals::stored>(order);
  return answers<>();
}

Task Leader::atomic(int set) {
  const std::vector<Vec3>& positions = ions_.positions();
  const auto order = make<AtomicOrder>(positions.size() * sizeof(Vec3));
  order->cell = ions_.cell();
  order->set = set;
  std::copy(positions.begin(), positions.end(), order->trailing<Vec3>());
  to_orbitals<&Orbitals::atomic>(order);
  return answers<>();
}

Task Leader::keep() {
  to_orbitals<&Orbitals::keep>(orders_);
  return answers<>();
}

Task Leader::subspace(int set, int other) {
  const auto order = make<SubspaceOrder>();
  order->set = set;
  order->other = other;
  to_matrices<&Ortho::subspace>(order);
  to_orbitals<&Orbitals::subspace>(order);
  return answers<&Leader::largest_spread>();
}

Task Leader::combine(int set) {
  const auto order = make<CombineOrder>();
  order->set = set;
  to_matrices<&Ortho::combine>(order);
  to_orbitals<&Orbitals::combine>(order);
  return answers<>();
}

Task Leader::orthonormalise() {
  to_matrices<&Ortho::orthonormalise>(orders_);
  to_orbitals<&Orbitals::orthonormalise>(orders_);
  return answers<>();
}

Task Leader::turn() {
  to_matrices<&Ortho::turn>(orders_);
  to_orbitals<&Orbitals::turn>(orders_);
  return answers<>();
}

Task Leader::find_potential(bool free_atoms) {
  const auto order = make<EvaluateOrder>();
  order->evaluation = evaluations_++;
  order->placement = ions_.placements();
  order->cell = ions_.cell();
  order->free_atoms = free_atoms;
  to_density<&Density::evaluate>(order);
  to_orbitals<&Orbitals::evaluate>(order);
  return answers<&Leader::density_sums>();
}

Task Leader::gradient() {
  to_matrices<&Ortho::gradient>(orders_);
  to_orbitals<&Orbitals::gradient>(orders_);
  return answers<>();
}

Task Leader::accept(double length, int pairs) {
  const auto order = make<AcceptOrder>();
  order->length = length;
  order->pairs = pairs;
  to_orbitals<&Orbitals::accept>(order);
  co_await when<&Leader::search_products>(orders_);
  ++orders_;
}

Task Leader::direction(const SearchDirection& direction) {
  const auto order = make<DirectionOrder>();
  order->direction = direction;
  to_matrices<&Ortho::direction>(orders_);
  to_orbitals<&Orbitals::direction>(order);
  return answers<&Leader::largest_spread>();
}

Task Leader::step(double length) {
  const auto order = make<StepOrder>();
  order->length = length;
  order->spread = spread_;
  to_matrices<&Ortho::step>(order);
  to_orbitals<&Orbitals::step>(order);
  return answers<>();
}

Task Leader::sum_forces(Stress stress) {
  const auto order = make<ForcesOrder>();
  order->stress = stress;
  to_density<&Density::forces>(order);
  to_orbitals<&Orbitals::forces>(order);
  co_await all_of(expect<&Leader::orbital_forces>(orders_),
                  expect<&Leader::density_forces>(orders_));
  ++orders_;
}

Task Leader::remember() {
  to_orbitals<&Orbitals::remember>(orders_);
  return answers<>();
}

Task Leader::predict(std::span<const double> shares) {
  FG_CHECK(shares.size() <= most_past);
  const auto order = make<PredictOrder>();
  order->past = static_cast<std::int32_t>(shares.size());
  std::copy(shares.begin(), shares.end(), order->by_past);
  to_orbitals<&Orbitals::predict>(order);
  return answers<>();
}

Task Leader::resume(int past) {
  const auto order = make<ResumeOrder>();
  order->past = past;
  to_orbitals<&Orbitals::resume>(order);
  return answers<>();
}

Task Leader::rest() {
  to_orbitals<&Orbitals::rest>(orders_);
  return answers<>();
}

template <auto Tiles, auto Vectors>
Task Leader::drift_by(std::int64_t step, double timestep, double velocity_scale) {
  const auto order = make_at<DriftOrder>(step);
  order->timestep = timestep;
  order->velocity_scale = velocity_scale;
  to_matrices<Tiles>(order);
  to_orbitals<Vectors>(order);
  return answers<&Leader::motion_report>();
}

Task Leader::drift(std::int64_t step, double timestep, double velocity_scale) {
  return drift_by<&Ortho::drift, &Orbitals::drift>(step, timestep, velocity_scale);
}

Task Leader::free_drift(std::int64_t step, double timestep, double velocity_scale) {
  return drift_by<&Ortho::free_drift, &Orbitals::free_drift>(step, timestep, velocity_scale);
}

Task Leader::free_force(std::int64_t step, bool orthonormal) {
  const auto order = make_at<FreeForceOrder>(step);
  order->orthonormal = orthonormal;
  to_matrices<&Ortho::free_force>(order);
  to_orbitals<&Orbitals::free_force>(orders_);
  return answers<>();
}

Task Leader::kick(double timestep) {
  const auto order = make<KickOrder>();
  order->timestep = timestep;
  to_orbitals<&Orbitals::kick>(order);
  return answers<>();
}

Task Leader::project(std::int64_t step) {
  to_matrices<&Ortho::project>(make_at<MotionOrder>(step));
  to_orbitals<&Orbitals::project>(orders_);
  return answers<&Leader::motion_report>();
}

Task Leader::reset(std::int64_t step) {
  to_matrices<&Ortho::reset>(make_at<MotionOrder>(step));
  to_orbitals<&Orbitals::reset>(orders_);
  return answers<>();
}

/// Lives of objects end.
void Leader::finish() {
  to_density<&Density::finish>();
  to_matrices<&Ortho::finish>();
}

}  // namespace fg::ab_initio
