// SPDX-License-Identifier: BSD-3-Clause
//
// What orbitals do with their vectors in a search. They send blocks for products with other
// orbitals, and use the products that come back.
#include <algorithm>
#include <cmath>
#include <utility>

#include "ab_initio/division/costs.hpp"
#include "ab_initio/orbitals/block_work.hpp"
#include "ab_initio/orbitals/orbital_lines.hpp"
#include "ab_initio/orbitals/orbitals.hpp"
#include "ab_initio/orbitals/setups.hpp"

namespace fg::ab_initio {

namespace {

/// A wave counts twice, G = 0 once.
double weighted(double sum, std::span<const std::complex<double>> a,
                std::span<const std::complex<double>> b, std::ptrdiff_t zero) noexcept {
  if (zero < 0) return 2 * sum;
  const auto& x = a[static_cast<std::size_t>(zero)];
  const auto& y = b[static_cast<std::size_t>(zero)];
  return 2 * sum - (x.real() * y.real() + x.imag() * y.imag());
}

}  // namespace

void Orbitals::subspace(Ref<const SubspaceOrder> order) {
  begin(order->number);
  const auto& [other, h_other] = kept(order->other);
  send_block(block_work::subspace, {&kept(order->set)[0], &other, &h_other});
  answer();
}

void Orbitals::combine(Ref<const CombineOrder> order) {
  begin(order->number);
  if (order->set == 0) std::fill(psi_.begin(), psi_.end(), Number());
  take_product_ = &Orbitals::add_to_orbitals;
  send_block(block_work::matrix_only, {&kept(order->set)[0]});
}

void Orbitals::orthonormalise(std::int64_t number) {
  begin(number);
  take_product_ = &Orbitals::take_orbitals;
  send_block(block_work::own_overlaps, {&psi_});
}

void Orbitals::turn(std::int64_t number) {
  begin(number);
  take_product_ = &Orbitals::take_orbitals;
  send_block(block_work::matrix_only, {&psi_});
}

void Orbitals::gradient(std::int64_t number) {
  begin(number);
  if (base_.empty()) take_memory_of_search();
  kept_.clear();
  take_product_ = &Orbitals::take_gradient;
  send_block(block_work::gradient, {&psi_, &h_psi_});
}

void Orbitals::direction(Ref<const DirectionOrder> order) {
  begin(order->number);
  charge_vectors(operations::gradient +
                 2 * order->direction.pairs * operations::product_of_vectors);
  memory_.direction(base_gradient_, below_, order->direction, direction_);
  take_product_ = &Orbitals::take_direction;
  send_block(block_work::direction, {&base_, &direction_});
}

void Orbitals::step(Ref<const StepOrder> order) {
  begin(order->number);
  auto message = new_block(block_work::matrix_only, 1);
  Number* const to = message->trailing<Number>();
  for (std::size_t i = 0; i < base_.size(); ++i) to[i] = base_[i] + order->length * direction_[i];
  take_product_ = &Orbitals::take_orbitals;
  send(std::move(message));
}

Ref<BlockMessage> Orbitals::new_block(const BlockWork& work, std::size_t vectors, int first) const {
  auto message = make_message<BlockMessage>(vectors * psi_.size() * sizeof(Number));
  message->number = number_;
  message->work = work;
  message->block = block();
  message->vectors = static_cast<std::int32_t>(vectors);
  message->first = first;
  return message;
}

/// Sends its waves to the pair calculators of each chunk; a single chunk is the block itself.
void Orbitals::send(Ref<BlockMessage> block) {
  const int chunks = setup_->basis->chunks_in_part();
  const auto& sections = block->first > 0 ? setup_->own_pairs : setup_->listeners;
  const auto listeners = [&](int k) -> const auto& {
    return sections[static_cast<std::size_t>(ordinal() * chunks + k)];
  };
  if (chunks == 1) return listeners(0).multicast<&PairCalculator::block>(std::move(block));
  for (int k = 0; k < chunks; ++k)
    listeners(k).multicast<&PairCalculator::block>(
        chunk_of(*block, setup_->basis->waves_of_chunk(part() * chunks + k)));
}

Ref<BlockMessage> Orbitals::chunk_of(const BlockMessage& block, const fft::Range& waves) const {
  const auto rows = static_cast<std::size_t>(block.vectors) * static_cast<std::size_t>(orbitals_);
  const auto count = static_cast<std::size_t>(waves.size());
  auto chunk = make_message<BlockMessage>(rows * count * sizeof(Number));
  chunk->number = block.number;
  chunk->work = block.work;
  chunk->block = block.block;
  chunk->vectors = block.vectors;
  chunk->first = block.first;
  const Number* from = block.trailing<Number>() + waves.begin;
  Number* to = chunk->trailing<Number>();
  for (std::size_t row = 0; row < rows; ++row, from += waves_, to += count)
    std::copy_n(from, count, to);
  return chunk;
}

void Orbitals::send_block(const BlockWork& work, std::initializer_list<const Vector*> vectors) {
  const std::span<const Vector* const> all(vectors);
  const auto right = static_cast<std::size_t>(work.on_the_right);
  send_vectors(work, all.first(all.size() - right), 0);
  if (right > 0) send_vectors(work, all.last(right), static_cast<int>(all.size() - right));
}

void Orbitals::send_vectors(const BlockWork& work, std::span<const Vector* const> vectors,
                            int first) {
  auto message = new_block(work, vectors.size(), first);
  auto* to = message->trailing<Number>();
  for (const Vector* vector : vectors) to = std::copy(vector->begin(), vector->end(), to);
  send(std::move(message));
}

void Orbitals::product(Ref<const ProductMessage> message) {
  const auto place =
      static_cast<std::size_t>(message->chunk * setup_->basis->pair_groups() + message->group);
  products_[place] = std::move(message);
  if (!std::all_of(products_.begin(), products_.end(), [](const auto& one) { return !!one; }))
    return;
  (this->*take_product_)(summed_products());
  for (auto& one : products_) one = {};
  answer();
}

void Orbitals::take_orbitals(const double* product) {
  std::copy_n(product, 2 * psi_.size(), numbers(psi_.data()));
}

void Orbitals::add_to_orbitals(const double* product) {
  double* const to = numbers(psi_.data());
  for (std::size_t i = 0; i < 2 * psi_.size(); ++i) to[i] += product[i];
}

/// Orbitals times a matrix, chunk by chunk, of all groups in their order.
const double* Orbitals::summed_products() {
  if (products_.size() == 1) return numbers(products_[0]->trailing<Number>());
  const int groups = setup_->basis->pair_groups(), chunks = setup_->basis->chunks_in_part();
  std::size_t place = 0;
  for (int k = 0; k < chunks; ++k) {
    const fft::Range waves = setup_->basis->waves_of_chunk(part() * chunks + k);
    const auto count = 2 * static_cast<std::size_t>(waves.size());
    for (int c = 0; c < groups; ++c, ++place) {
      const double* from = numbers(products_[place]->trailing<Number>());
      double* to = numbers(sum_.data() + waves.begin);
      for (int i = 0; i < orbitals_; ++i, from += count, to += 2 * waves_)
        if (c == 0)
          std::copy_n(from, count, to);
        else
          for (std::size_t n = 0; n < count; ++n) to[n] += from[n];
    }
  }
  return numbers(sum_.data());
}

/// `inside` has psi <psi|H|psi>.
void Orbitals::take_gradient(const double* inside) {
  charge_vectors(operations::gradient + operations::product_of_vectors);
  double most = 0;
  // Moving orbitals have no direction, and nobody reads their slope.
  const Vector& along = direction_.empty() ? base_ : direction_;
  for (int i = 0; i < orbitals_; ++i) {
    const auto of_orbital = row(gradient_vector(), i);
    const GradientSums sums =
        gradient_line(numbers(row(h_psi_, i).data()), inside + 2 * waves_ * i,
                      numbers(row(along, i).data()), 2 * waves_, numbers(of_orbital.data()));
    most = std::max(most, sums.largest);
    sums_.slope += weighted(sums.slope, of_orbital, row(along, i), zero());
  }
  residual_ = std::sqrt(most);
  const auto numbers_of_first =
      static_cast<std::size_t>(orbitals_) *
      static_cast<std::size_t>(
          setup_->basis->waves_of_chunk(part() * setup_->basis->chunks_in_part()).size());
  const ProductMessage& of_own_group =
      *products_[static_cast<std::size_t>(setup_->basis->group_of(block()))];
  const auto* const below =
      reinterpret_cast<const double*>(of_own_group.trailing<Number>() + numbers_of_first);
  std::copy_n(below, below_.size(), below_.begin());
}

/// Takes away the part in the space of the orbitals.
void Orbitals::take_direction(const double* inside) {
  for (int i = 0; i < orbitals_; ++i) {
    const double sum =
        direction_line(inside + 2 * waves_ * i, numbers(row(base_gradient_, i).data()), 2 * waves_,
                       numbers(row(direction_, i).data()));
    sums_.slope += weighted(sum, row(base_gradient_, i), row(direction_, i), zero());
  }
}

void Orbitals::accept(Ref<const AcceptOrder> order) {
  begin(order->number);
  if (order->pairs == 0) memory_.clear();
  FG_CHECK(!direction_.empty());
  // Products of the remembered vectors: SearchProducts.
  const double pairs = order->pairs;
  charge_vectors(2 * operations::sum +
                 operations::product_of_vectors * (3 + 4 * pairs + pairs * pairs));
  const SearchMemory::Step step{direction_, order->length, base_gradient_};
  const SearchProducts products =
      memory_.products(gradient_vector(), below_, order->length > 0 ? &step : nullptr);
  std::swap(base_, psi_);
  moves_ = false;
  std::swap(base_gradient_, gradient_vector());
  setup_->search.contribute(*this, number_, products.values());
}

}  // namespace fg::ab_initio
