// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/pair_calculator.hpp"

#include <algorithm>
#include <utility>

#include "ab_initio/block_products.hpp"
#include "ab_initio/setup.hpp"
#include "electrons/row_products.hpp"

namespace fg::ab_initio {

namespace {

const Phase overlap_phase{"overlaps of orbitals"};
const Phase multiply_phase{"orbitals times a matrix"};

using Number = std::complex<double>;

const Number* vector_of(const BlockMessage& block, int which, std::size_t size) noexcept {
  return block.trailing<Number>() + static_cast<std::size_t>(which) * size;
}

}  // namespace

PairCalculator::PairCalculator(std::shared_ptr<const Setup> setup) : setup_(std::move(setup)) {
  const auto [b, c, p] = index();
  const fft::Range group = setup_->group(c);
  blocks_.resize(static_cast<std::size_t>(group.size() + (group.contains(b) ? 0 : 1)));
  overlaps_.resize(setup_->tile_numbers(b, c));
  rows_.reserve(setup_->orbitals_of(group));
}

void PairCalculator::block(Ref<const BlockMessage> message) {
  const fft::Range group = setup_->group(index()[1]);
  const int place = group.contains(message->block) ? message->block - group.begin : group.size();
  blocks_[static_cast<std::size_t>(place)] = std::move(message);
  if (++arrived_ < static_cast<int>(blocks_.size())) return;
  const Order order = blocks_.front()->order;
  if (order != Order::step && order != Order::turn && order != Order::combine) overlap();
  if (order == Order::subspace) return drop_blocks();
  if (matrix_) multiply();
}

void PairCalculator::matrix(Ref<const MatrixMessage> message) {
  matrix_ = std::move(message);
  if (arrived_ == static_cast<int>(blocks_.size())) multiply();
}

/// orthonormalise: <psi|psi>. gradient: <psi|H psi>. direction: <psi|d> and <d|d>. subspace: <a|b>
/// and <a|H b>.
void PairCalculator::overlap() {
  const auto [b, c, p] = index();
  {
    const PhaseTimer timer(overlap_phase);
    const Basis& basis = *setup_->basis;
    const fft::Range group = setup_->group(c);
    const BlockMessage& right =
        *blocks_[static_cast<std::size_t>(group.contains(b) ? b - group.begin : group.size())];
    const electrons::PlaneWaves& waves = basis.waves(p);
    const int n_b = basis.block(b).size();
    const std::size_t size_b = static_cast<std::size_t>(n_b) * waves.size();
    const int last = right.vectors - 1;
    const bool subspace = right.order == Order::subspace;
    const bool direction = right.order == Order::direction;
    std::fill(overlaps_.begin(), overlaps_.end(), 0.0);
    double* const second = overlaps_.data() + (overlaps_.size() - 1) / 2;
    std::size_t row = 0;
    for (int a = group.begin; a < group.end; ++a) {
      const BlockMessage& left = *blocks_[static_cast<std::size_t>(a - group.begin)];
      const int n_a = basis.block(a).size();
      if (basis.spin_of(a) != basis.spin_of(b)) {  // the overlaps are 0
        row += static_cast<std::size_t>(n_a);
        continue;
      }
      const std::size_t size_a = static_cast<std::size_t>(n_a) * waves.size();
      const bool half = computes_tile(a, b, basis.blocks());
      const auto add = [&](int of_a, int of_b, double* to) {
        overlap_blocks(vector_of(left, of_a, size_a), n_a, vector_of(right, of_b, size_b), n_b,
                       waves.size(), waves.zero(), to + row * static_cast<std::size_t>(n_b), n_b);
      };
      if (half || direction || subspace) add(0, subspace ? 1 : last, overlaps_.data());
      if (subspace || (half && direction)) add(subspace ? 0 : 1, last, second);
      row += static_cast<std::size_t>(n_a);
    }
  }
  if (p == 0) overlaps_.back() = b * setup_->pair_groups + c;
  setup_->tiles[static_cast<std::size_t>(b * setup_->pair_groups + c)].contribute(
      *this, blocks_.front()->number, overlaps_);
}

void PairCalculator::drop_blocks() noexcept {
  for (auto& block : blocks_) block = {};
  arrived_ = 0;
}

void PairCalculator::multiply() {
  const auto [b, c, p] = index();
  const Basis& basis = *setup_->basis;
  const fft::Range group = setup_->group(c);
  const std::size_t waves = basis.waves(p).size();
  const fft::Range columns = basis.block(b);
  const std::size_t numbers = static_cast<std::size_t>(columns.size()) * waves;
  auto product = make_message<ProductMessage>(
      numbers * sizeof(Number) + static_cast<std::size_t>(columns.size()) * sizeof(double));
  product->group = c;
  {
    const PhaseTimer timer(multiply_phase);
    rows_.clear();
    const fft::Range same = basis.blocks_of_spin(basis.spin_of(b));
    const fft::Range blocks{std::max(group.begin, same.begin), std::min(group.end, same.end)};
    for (int a = blocks.begin; a < blocks.end; ++a) {
      const auto* row = reinterpret_cast<const double*>(
          blocks_[static_cast<std::size_t>(a - group.begin)]->trailing<Number>());
      for (int i = 0; i < basis.block(a).size(); ++i, row += 2 * waves) rows_.push_back(row);
    }
    const auto orbitals = static_cast<std::size_t>(basis.orbitals());
    if (rows_.empty()) {
      std::fill_n(product->trailing<Number>(), numbers, Number());
    } else {
      const auto first = static_cast<std::size_t>(basis.block(blocks.begin).begin);
      const electrons::Weights weights{
          .data = matrix_->trailing<double>() + first * orbitals + columns.begin,
          .count = static_cast<std::size_t>(columns.size()),
          .stride = orbitals};
      electrons::combine_rows(rows_, weights, 2 * waves, electrons::Sum::replaces,
                              reinterpret_cast<double*>(product->trailing<Number>()), 2 * waves);
    }
  }
  auto* const below = reinterpret_cast<double*>(product->trailing<Number>() + numbers);
  for (int i = 0; i < columns.size(); ++i)
    below[i] = matrix_->top -
               matrix_->trailing<double>()[static_cast<std::size_t>(columns.begin + i) *
                                           (static_cast<std::size_t>(basis.orbitals()) + 1)];
  drop_blocks();
  matrix_ = {};
  setup_->orbitals[{b, p}].send<&Orbitals::product>(std::move(product));
}

}  // namespace fg::ab_initio
