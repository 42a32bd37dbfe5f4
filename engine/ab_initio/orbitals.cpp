// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/orbitals.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>

#include "ab_initio/block_products.hpp"
#include "ab_initio/setup.hpp"
#include "base/error.hpp"
#include "electrons/kinetic.hpp"
#include "electrons/orbital_start.hpp"

namespace fg::ab_initio {

namespace {

const Phase forces_phase{"forces and stress of orbitals"};
const Phase transforms_phase{"orbitals: waves to transforms"};

}  // namespace

Orbitals::Orbitals(std::shared_ptr<const Setup> setup)
    : setup_(std::move(setup)),
      orbitals_(setup_->basis->block(block()).size()),
      waves_(setup_->basis->waves(part()).size()),
      memory_(orbitals_, setup_->basis->waves(part()).squares(),
              setup_->basis->waves(part()).zero()),
      below_(static_cast<std::size_t>(orbitals_)) {
  const std::size_t size = static_cast<std::size_t>(orbitals_) * waves_;
  for (Vector* vector :
       {&psi_, &base_, &h_psi_, &v_psi_, &gradient_, &base_gradient_, &direction_, &sum_})
    vector->assign(size, Number());
  coupled_.resize(setup_->projector_count * static_cast<std::size_t>(orbitals_));
  products_.resize(static_cast<std::size_t>(setup_->pair_groups));
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

void Orbitals::order(Ref<const OrderMessage> message) {
  order_ = std::move(message);
  sums_ = {};
  switch (order_->order) {
    case Order::random:
      write_random(0);
      return answer();
    case Order::atomic:
      write_atomic(order_->set);
      return answer();
    case Order::keep:
      kept_.push_back({psi_, h_psi_});
      return answer();
    case Order::subspace:
      send_block({&kept(order_->set)[0], &kept(order_->other)[0], &kept(order_->other)[1]});
      return answer();
    case Order::combine:
      return send_block({&kept(order_->set)[0]});
    case Order::orthonormalise:
      kept_.clear();
      return send_block({&psi_});
    case Order::turn:
      return send_block({&psi_});
    case Order::evaluate:
      return evaluate();
    case Order::gradient:
      return send_block({&psi_, &h_psi_});
    case Order::accept:
      return accept();
    case Order::direction:
      memory_.direction(base_gradient_, below_, *order_, direction_);
      return send_block({&base_, &direction_});
    case Order::step:
      for (std::size_t i = 0; i < sum_.size(); ++i)
        sum_[i] = base_[i] + order_->length * direction_[i];
      return send_block({&sum_});
    case Order::forces:
      return forces();
    case Order::finish:
      return;
  }
}

/// Random numbers for all orbitals from the one on that has this number in the block.
void Orbitals::write_random(int first) {
  if (first >= orbitals_) return;
  electrons::random_orbitals(setup_->basis->waves(part()), setup_->job->ground_state.seed,
                             {static_cast<std::size_t>(setup_->basis->block(block()).begin + first),
                              static_cast<std::size_t>(orbitals_ - first)},
                             std::span(psi_).subspan(static_cast<std::size_t>(first) * waves_));
}

void Orbitals::write_atomic(int set) {
  const electrons::AtomicOrbitals& atomic = setup_->tables.orbitals();
  const fft::Range& own = setup_->basis->orbitals_of_spin(setup_->basis->spin_of(block()));
  const int first = set * own.size() + setup_->basis->block(block()).begin - own.begin;
  const int count = std::clamp(static_cast<int>(atomic.count()) - first, 0, orbitals_);
  if (count > 0)
    atomic.write(setup_->basis->waves(part()), setup_->job->positions,
                 {static_cast<std::size_t>(first), static_cast<std::size_t>(count)},
                 std::span(psi_).first(static_cast<std::size_t>(count) * waves_));
  write_random(count);
}

void Orbitals::evaluate() {
  const electrons::PlaneWaves& waves = setup_->basis->waves(part());
  start_transforms();
  awaited_ = setup_->basis->pairs(block());
  std::fill(h_psi_.begin(), h_psi_.end(), Number());
  for (int i = 0; i < orbitals_; ++i) {
    sums_.kinetic += occupation() * electrons::kinetic_energy(waves.squares(), row(psi_, i));
    electrons::add_kinetic_force(waves.squares(), row(psi_, i), -1.0, row(h_psi_, i));
  }
  if (setup_->projector_count == 0) return;
  ++awaited_;
  projectors().project(psi_, static_cast<std::size_t>(orbitals_), coupled_);
  setup_->projections[static_cast<std::size_t>(block())].contribute(*this, order_->number,
                                                                    coupled_);
}

void Orbitals::start_transforms() {
  const PhaseTimer timer(transforms_phase);
  const auto& transforms = setup_->orbital_transforms;
  const int pairs = setup_->basis->pairs(block());
  for (int pair = 0; pair < pairs; ++pair) {
    const std::int64_t number = transforms_++ * setup_->basis->blocks() + block();
    auto field = transforms.field(part(), number, fft::Route::backward);
    Number* const to = field->trailing<Number>();
    const int orbitals = std::min(2, orbitals_ - 2 * pair);
    const std::size_t count = static_cast<std::size_t>(orbitals) * waves_;
    std::copy_n(row(psi_, 2 * pair).data(), count, to);
    std::fill(to + count, to + 2 * waves_, Number());
    transforms.start(std::move(field));
  }
  // Those back, of the potential times orbitals, are started by the points.
  transforms_ += pairs;
}

void Orbitals::projected(Ref<const ReductionMessage<double>> sums) {
  const auto orbitals = static_cast<std::size_t>(orbitals_);
  projectors().coupling().couple(sums->values(), orbitals, coupled_);
  // All parts have the same sums; one of them counts.
  if (part() == 0)
    sums_.nonlocal = electrons::nonlocal_energy(sums->values(), coupled_, occupation());
  projectors().apply(coupled_, orbitals, h_psi_);
  if (--awaited_ == 0) evaluated();
}

void Orbitals::applied(Ref<const fft::FieldMessage> result) {
  const int pairs = setup_->basis->pairs(block());
  const auto pair = static_cast<int>((result->number / setup_->basis->blocks()) % pairs);
  const int orbitals = std::min(2, orbitals_ - 2 * pair);
  std::copy_n(result->trailing<Number>(), static_cast<std::size_t>(orbitals) * waves_,
              row(v_psi_, 2 * pair).data());
  if (--awaited_ == 0) evaluated();
}

void Orbitals::evaluated() {
  for (std::size_t i = 0; i < h_psi_.size(); ++i) h_psi_[i] += v_psi_[i];
  answer();
}

void Orbitals::send_block(std::initializer_list<const Vector*> vectors) {
  const std::size_t bytes = psi_.size() * sizeof(Number);
  auto message = make_message<BlockMessage>(vectors.size() * bytes);
  message->number = order_->number;
  message->order = order_->order;
  message->block = block();
  message->vectors = static_cast<std::int32_t>(vectors.size());
  auto* to = message->trailing<std::byte>();
  for (const Vector* vector : vectors) {
    std::memcpy(to, vector->data(), bytes);
    to += bytes;
  }
  setup_->listeners[static_cast<std::size_t>(ordinal())].multicast<&PairCalculator::block>(
      std::move(message));
}

void Orbitals::product(Ref<const ProductMessage> message) {
  const auto group = static_cast<std::size_t>(message->group);
  products_[group] = std::move(message);
  if (!std::all_of(products_.begin(), products_.end(), [](const auto& one) { return !!one; }))
    return;
  std::copy_n(products_[0]->trailing<Number>(), sum_.size(), sum_.begin());
  for (std::size_t c = 1; c < products_.size(); ++c) {
    const Number* const more = products_[c]->trailing<Number>();
    for (std::size_t i = 0; i < sum_.size(); ++i) sum_[i] += more[i];
  }
  switch (order_->order) {
    case Order::gradient:
      take_gradient(*products_[0]);
      break;
    case Order::direction:
      for (std::size_t i = 0; i < sum_.size(); ++i) direction_[i] -= sum_[i];
      sums_.slope = inner(base_gradient_, direction_);
      break;
    case Order::combine:
      if (order_->set == 0) std::fill(psi_.begin(), psi_.end(), Number());
      for (std::size_t i = 0; i < sum_.size(); ++i) psi_[i] += sum_[i];
      break;
    default:
      std::swap(psi_, sum_);
  }
  for (auto& one : products_) one = {};
  answer();
}

/// sum_ has psi <psi|H|psi>.
void Orbitals::take_gradient(const ProductMessage& message) {
  double most = 0;
  for (std::size_t i = 0; i < sum_.size(); ++i) {
    gradient_[i] = h_psi_[i] - sum_[i];
    most = std::max(most, std::norm(gradient_[i]));
  }
  residual_ = std::sqrt(most);
  sums_.slope = inner(gradient_, direction_);
  const auto* const below =
      reinterpret_cast<const double*>(message.trailing<Number>() + psi_.size());
  std::copy_n(below, below_.size(), below_.begin());
}

void Orbitals::accept() {
  if (order_->pairs == 0) memory_.clear();
  if (order_->pairs > 0) {
    auto& [step, change] = memory_.next();
    for (std::size_t i = 0; i < psi_.size(); ++i) {
      step[i] = order_->length * direction_[i];
      change[i] = gradient_[i] - base_gradient_[i];
    }
  }
  base_ = psi_;
  base_gradient_ = gradient_;
  setup_->search.contribute(*this, order_->number,
                            memory_.products(base_gradient_, below_).values());
}

void Orbitals::forces() {
  const PhaseTimer timer(forces_phase);
  std::vector<Vec3> forces(setup_->job->positions.size());
  Virial virial{};
  electrons::add_kinetic_virial(setup_->basis->waves(part()), psi_,
                                static_cast<std::size_t>(orbitals_), occupation(), virial);
  if (setup_->projector_count > 0) {
    const auto orbitals = static_cast<std::size_t>(orbitals_);
    projectors().add_forces(coupled_, psi_, orbitals, occupation(), forces);
    projectors().add_virial(coupled_, psi_, orbitals, occupation(), virial);
  }
  setup_->orbital_forces.contribute(*this, order_->number, force_numbers(forces, virial));
}

void Orbitals::answer() {
  setup_->orbital_sums.contribute(*this, order_->number, sums_.values());
  setup_->largest.contribute(*this, order_->number, {residual_});
}

double Orbitals::inner(const Vector& a, const Vector& b) const noexcept {
  const std::ptrdiff_t zero = setup_->basis->waves(part()).zero();
  double sum = 0;
  for (int i = 0; i < orbitals_; ++i) sum += inner_product(row(a, i), row(b, i), zero);
  return sum;
}

}  // namespace fg::ab_initio
