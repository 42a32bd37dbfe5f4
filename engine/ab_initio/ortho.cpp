// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/ortho.hpp"

#include <algorithm>
#include <utility>

#include "ab_initio/setup.hpp"
#include "ab_initio/spin_blocks.hpp"
#include "electrons/blas.hpp"

namespace fg::ab_initio {

namespace {

const Phase ortho_phase{"matrices of all orbitals"};

/// Taken for the distance of the waves to which orbitals turn from the highest orbital, where they
/// have no kinetic energy [hartree].
constexpr double least_gap = 0.3;

std::size_t square(int n) noexcept {
  return static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
}

}  // namespace

Ortho::Ortho(std::shared_ptr<const Setup> setup)
    : setup_(std::move(setup)),
      n_(setup_->basis->orbitals()),
      first_(square(n_)),
      second_(square(n_)),
      lambda_(square(n_)),
      spread_(square(n_)),
      subspace_(setup_->subspace()),
      inverse_root_(n_) {}

void Ortho::order(Ref<const OrderMessage> message) {
  order_ = std::move(message);
  switch (order_->order) {
    case Order::step:
      return step();
    case Order::combine:
      return send(subspace_.orbitals(order_->set));
    case Order::turn: {
      const PhaseTimer timer(ortho_phase);
      first_ = lambda_;
      eigenvectors_of_spins(*setup_->basis, first_);
      // The eigenvectors are rows.
      for (int i = 0; i < n_; ++i)
        for (int k = 0; k < n_; ++k)
          second_[static_cast<std::size_t>(k) * n_ + i] =
              first_[static_cast<std::size_t>(i) * n_ + k];
      return send(second_);
    }
    default:
      if (all_tiles_are_here()) work();
  }
}

void Ortho::step() {
  const PhaseTimer timer(ortho_phase);
  // (psi + l d)^T (psi + l d) = 1 + l^2 d^T d, since d has no part in the space of psi.
  const double factor = order_->length * order_->length;
  for (std::size_t i = 0; i < first_.size(); ++i) first_[i] = factor * spread_[i];
  for (int i = 0; i < n_; ++i) first_[static_cast<std::size_t>(i) * (n_ + 1)] += 1;
  inverse_root_.compute(first_, second_);
  send(second_);
}

bool Ortho::all_tiles_are_here() const noexcept {
  return arrived_ == setup_->basis->blocks() * setup_->pair_groups;
}

std::vector<double> Ortho::eigenvalues_of(std::vector<double> matrix) const {
  return eigenvectors_of_spins(*setup_->basis, matrix);
}

double Ortho::highest_of(const std::vector<double>& matrix) const {
  const std::vector<double> values = eigenvalues_of(matrix);
  return *std::max_element(values.begin(), values.end());
}

void Ortho::tiles(Ref<const ReductionMessage<double>> sums) {
  const auto values = sums->values();
  const int which = static_cast<int>(values.back());
  take(values, which / setup_->pair_groups, which % setup_->pair_groups);
  ++arrived_;
  if (all_tiles_are_here() && order_ && order_->number == sums->step) work();
}

void Ortho::take(std::span<const double> tiles, int column, int group) {
  const PhaseTimer timer(ortho_phase);
  const Basis& basis = *setup_->basis;
  const fft::Range columns = basis.block(column);
  const fft::Range blocks = setup_->group(group);
  const int first_row = basis.block(blocks.begin).begin;
  const auto rows = static_cast<int>(setup_->orbitals_of(blocks));
  const std::size_t half = tiles.size() / 2;
  for (int i = 0; i < rows; ++i)
    for (int k = 0; k < columns.size(); ++k) {
      const std::size_t to = static_cast<std::size_t>(first_row + i) * n_ + columns.begin + k;
      const std::size_t from = static_cast<std::size_t>(i) * columns.size() + k;
      first_[to] = tiles[from];
      second_[to] = tiles[half + from];
    }
}

namespace {

/// Makes the square of these rows and columns exactly symmetric.
void average_halves(fft::Range range, int n, std::vector<double>& matrix) {
  const auto at = [&](int i, int k) -> double& {
    return matrix[static_cast<std::size_t>(i) * static_cast<std::size_t>(n) +
                  static_cast<std::size_t>(k)];
  };
  for (int i = range.begin; i < range.end; ++i)
    for (int k = range.begin; k < i; ++k) at(i, k) = at(k, i) = (at(i, k) + at(k, i)) / 2;
}

/// Fills in the tiles that were not computed, and makes the matrix exactly symmetric.
void make_symmetric(const Basis& basis, std::vector<double>& matrix) {
  const auto n = static_cast<std::size_t>(basis.orbitals());
  for (int a = 0; a < basis.blocks(); ++a) {
    average_halves(basis.block(a), basis.orbitals(), matrix);
    for (int b = 0; b < basis.blocks(); ++b) {
      if (a == b || !computes_tile(a, b, basis.blocks())) continue;
      for (auto i = static_cast<std::size_t>(basis.block(a).begin);
           i < static_cast<std::size_t>(basis.block(a).end); ++i)
        for (auto k = static_cast<std::size_t>(basis.block(b).begin);
             k < static_cast<std::size_t>(basis.block(b).end); ++k)
          matrix[k * n + i] = matrix[i * n + k];
    }
  }
}

}  // namespace

void Ortho::work() {
  arrived_ = 0;
  const PhaseTimer timer(ortho_phase);
  const Basis& basis = *setup_->basis;
  const auto size = static_cast<std::size_t>(n_);
  switch (order_->order) {
    case Order::subspace:
      subspace_.add(order_->set, order_->other, first_, second_);
      setup_->minimiser[{0}].send_at<&Minimiser::largest_spread>(order_->number, 0.0);
      return;
    case Order::orthonormalise:
      subspace_ = setup_->subspace();
      make_symmetric(basis, first_);
      inverse_root_.compute(first_, second_);
      return send(second_);
    case Order::gradient:
      make_symmetric(basis, first_);
      lambda_ = first_;
      return send(lambda_, highest_of(lambda_) + least_gap);
    case Order::direction:
      // The direction will lose its part in the space of the orbitals: <d|d> - X^T X.
      make_symmetric(basis, second_);
      spread_ = second_;
      electrons::blas::multiply(size, size, size, -1,
                                {first_.data(), size, electrons::blas::Factor::Reading::transposed},
                                {first_.data(), size}, 1, spread_.data(), size);
      average_halves({0, n_}, n_, spread_);
      setup_->minimiser[{0}].send_at<&Minimiser::largest_spread>(order_->number,
                                                                 highest_of(spread_));
      return send(first_);
    default:
      FG_CHECK(false);
  }
}

void Ortho::send(std::span<const double> matrix, double top) {
  auto message = make_message<MatrixMessage>(matrix.size_bytes());
  message->top = top;
  std::copy(matrix.begin(), matrix.end(), message->trailing<double>());
  setup_->pairs.broadcast<&PairCalculator::matrix>(std::move(message), Lane::high);
}

std::vector<double> Ortho::eigenvalues() const {
  return eigenvalues_of(lambda_);
}

}  // namespace fg::ab_initio
