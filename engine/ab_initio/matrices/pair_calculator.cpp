// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/matrices/pair_calculator.hpp"

#include <algorithm>
#include <utility>

#include "ab_initio/division/costs.hpp"
#include "ab_initio/matrices/block_products.hpp"
#include "ab_initio/matrices/setups.hpp"
#include "electrons/matrices/row_products.hpp"
#include "runtime/simulated/simulated_time.hpp"

namespace fg::ab_initio {

namespace {

const Phase overlap_phase{"overlaps of orbitals"};
const Phase multiply_phase{"orbitals times a matrix"};

using Number = std::complex<double>;

const Number* vector_of(const BlockMessage& block, int which, std::size_t size) noexcept {
  return block.trailing<Number>() + static_cast<std::size_t>(which) * size;
}

std::size_t place_of(const MatrixShare& share, int row, int column) noexcept {
  return static_cast<std::size_t>(row - share.rows.begin) *
             static_cast<std::size_t>(share.columns.size()) +
         static_cast<std::size_t>(column - share.columns.begin);
}

/// Appends a part of a share.
void copy_part(const MatrixShare& share, const double* from, const MatrixShare& part,
               std::vector<double>& to) {
  for (int row = part.rows.begin; row < part.rows.end; ++row) {
    const double* const first = from + place_of(share, row, part.columns.begin);
    to.insert(to.end(), first, first + part.columns.size());
  }
}

}  // namespace

PairCalculator::PairCalculator(std::shared_ptr<const PairCalculatorSetup> setup)
    : setup_(std::move(setup)),
      share_(share_of(*setup_->basis, setup_->basis->group(index()[1]), index()[0])) {
  const auto [b, c, k] = index();
  const fft::Range group = setup_->basis->group(c);
  blocks_.resize(static_cast<std::size_t>(group.size() + (group.contains(b) ? 0 : 1)));
  overlaps_.resize(static_cast<std::size_t>(setup_->matrices_of_order) * share_.numbers() + 1);
  rows_.reserve(static_cast<std::size_t>(share_.rows.size()));
  left_.reserve(rows_.capacity());
  const fft::Range pieces = setup_->pieces.of(b, c);
  matrices_.reserve(static_cast<std::size_t>(pieces.size()));
  if (pieces.size() == 1) return;
  piece_.reserve(overlaps_.size());
  matrix_.resize(most_matrices * share_.numbers());
}

/// The number of waves of the chunk.
std::size_t PairCalculator::waves() const noexcept {
  return static_cast<std::size_t>(setup_->basis->waves_of_chunk(index()[2]).size());
}

/// Where G = 0 is in the chunk, or -1.
std::ptrdiff_t PairCalculator::zero() const noexcept {
  const Basis& basis = *setup_->basis;
  const std::ptrdiff_t zero = basis.waves(basis.part_of_chunk(index()[2])).zero();
  const fft::Range waves = basis.waves_of_chunk(index()[2]);
  return zero >= waves.begin && zero < waves.end ? zero - waves.begin : -1;
}

void PairCalculator::block(Ref<const BlockMessage> message) {
  const fft::Range group = setup_->basis->group(index()[1]);
  const int place = group.contains(message->block) ? message->block - group.begin : group.size();
  auto& held = message->first > 0 ? on_the_right_ : blocks_[static_cast<std::size_t>(place)];
  // No block can come an order ahead. The leader gives an order when all orbitals have answered the
  // one before. They answer when all pair calculators have sent their products.
  FG_CHECK(!held);
  held = std::move(message);
  ++arrived_;
  if (!is_complete()) return;
  if (work().count > 0) overlap();
  if (!work().awaits_matrix) return drop_blocks();
  if (covered_ == share_.numbers()) multiply();
}

void PairCalculator::matrix(Ref<const MatrixMessage> message) {
  covered_ += common(message->share, share_).numbers();
  matrices_.push_back(std::move(message));
  if (covered_ == share_.numbers() && is_complete()) multiply();
}

/// All vectors of an order have arrived. The next order comes when this one is done.
bool PairCalculator::is_complete() const noexcept {
  const auto blocks = static_cast<int>(blocks_.size());
  if (arrived_ < blocks || !blocks_.front()) return false;
  return arrived_ == blocks + (work().on_the_right > 0 ? 1 : 0);
}

/// A vector of b.
const Number* PairCalculator::on_the_right(int which, std::size_t size) const {
  if (on_the_right_ && which >= on_the_right_->first)
    return vector_of(*on_the_right_, which - on_the_right_->first, size);
  const int b = index()[0];
  const fft::Range group = setup_->basis->group(index()[1]);
  const int place = group.contains(b) ? b - group.begin : group.size();
  return vector_of(*blocks_[static_cast<std::size_t>(place)], which, size);
}

/// The rows of a vector of the blocks whose overlaps with b are computed, and the places of these.
void PairCalculator::find_left(const Overlap& one, double* to) {
  const auto [b, c, k] = index();
  const Basis& basis = *setup_->basis;
  const fft::Range group = setup_->basis->group(c);
  const std::size_t waves = this->waves();
  const auto n_b = static_cast<std::size_t>(basis.block(b).size());
  left_.clear();
  for (int a = group.begin; a < group.end; ++a) {
    const auto n_a = static_cast<std::size_t>(basis.block(a).size());
    const bool computes = one.tiles == Overlap::Tiles::all || computes_tile(a, b, basis.blocks());
    if (computes && basis.spin_of(a) == basis.spin_of(b)) {  // of other spins they are 0
      charge(Work::products, block_product(basis.block(a).size(), basis.block(b).size(), waves));
      const auto* row = reinterpret_cast<const double*>(
          vector_of(*blocks_[static_cast<std::size_t>(a - group.begin)], one.a, n_a * waves));
      for (std::size_t i = 0; i < n_a; ++i) left_.push_back({row + i * 2 * waves, to + i * n_b});
    }
    to += n_a * n_b;
  }
}

void PairCalculator::overlap() {
  const int b = index()[0];
  {
    const PhaseTimer timer(overlap_phase);
    const std::size_t waves = this->waves();
    const int n_b = setup_->basis->block(b).size();
    std::fill(overlaps_.begin(), overlaps_.end(), 0.0);
    double* to = overlaps_.data();
    for (const Overlap& one :
         std::span(work().overlaps).first(static_cast<std::size_t>(work().count))) {
      find_left(one, to);
      overlap_rows(left_, on_the_right(one.b, static_cast<std::size_t>(n_b) * waves), n_b, waves,
                   zero(), [this] { drive_network_if_due(); });
      to += share_.numbers();
    }
  }
  send_overlaps();
}

/// Sends each tile of the matrices its piece, with the number of the piece.
void PairCalculator::send_overlaps() {
  const auto [b, c, k] = index();
  const std::int64_t number = blocks_.front()->number;
  const fft::Range pieces = setup_->pieces.of(b, c);
  for (int i = pieces.begin; i < pieces.end; ++i) {
    std::vector<double>* numbers = &overlaps_;
    if (pieces.size() > 1) {
      const MatrixShare& part = setup_->pieces.all()[static_cast<std::size_t>(i)].share;
      piece_.clear();
      for (int matrix = 0; matrix < setup_->matrices_of_order; ++matrix)
        copy_part(share_, overlaps_.data() + static_cast<std::size_t>(matrix) * share_.numbers(),
                  part, piece_);
      piece_.push_back(0);
      numbers = &piece_;
    }
    if (k == 0) numbers->back() = i;
    setup_->piece_sums[static_cast<std::size_t>(i)].contribute(*this, number, *numbers);
  }
}

void PairCalculator::drop_blocks() noexcept {
  for (auto& block : blocks_) block = {};
  on_the_right_ = {};
  arrived_ = 0;
}

/// Puts the share together from its tiles.
void PairCalculator::take_matrix() {
  for (const auto& tile : matrices_) {
    const MatrixShare part = common(tile->share, share_);
    const auto columns = static_cast<std::size_t>(part.columns.size());
    const double* from = tile->trailing<double>();
    double* to = matrix_.data();
    for (int which = 0; which < tile->matrices; ++which) {
      for (int row = part.rows.begin; row < part.rows.end; ++row)
        std::copy_n(from + place_of(tile->share, row, part.columns.begin), columns,
                    to + place_of(share_, row, part.columns.begin));
      from += tile->share.numbers();
      to += share_.numbers();
    }
  }
}

/// Finds the rows of one of the vectors of these blocks.
void PairCalculator::find_rows(const fft::Range& blocks, int which) {
  const int c = index()[1];
  const Basis& basis = *setup_->basis;
  const std::size_t waves = this->waves();
  rows_.clear();
  for (int a = blocks.begin; a < blocks.end; ++a) {
    const int n_a = basis.block(a).size();
    const auto* row = reinterpret_cast<const double*>(
        vector_of(*blocks_[static_cast<std::size_t>(a - setup_->basis->group(c).begin)], which,
                  static_cast<std::size_t>(n_a) * waves));
    for (int i = 0; i < n_a; ++i, row += 2 * waves) rows_.push_back(row);
  }
}

void PairCalculator::multiply() {
  const auto [b, c, k] = index();
  const Basis& basis = *setup_->basis;
  const fft::Range group = setup_->basis->group(c);
  const std::size_t waves = this->waves();
  const fft::Range columns = basis.block(b);
  const std::size_t numbers = static_cast<std::size_t>(columns.size()) * waves;
  auto product = make_message<ProductMessage>(
      numbers * sizeof(Number) + static_cast<std::size_t>(columns.size()) * sizeof(double));
  product->group = c;
  product->chunk = k % basis.chunks_in_part();
  const double* matrix = matrices_.front()->trailing<double>();
  MatrixShare has = matrices_.front()->share;
  {
    const PhaseTimer timer(multiply_phase);
    if (matrices_.size() > 1) {
      take_matrix();
      matrix = matrix_.data();
      has = share_;
    }
    const fft::Range same = basis.blocks_of_spin(basis.spin_of(b));
    const fft::Range blocks{std::max(group.begin, same.begin), std::min(group.end, same.end)};
    for (int which = 0; which < matrices_.front()->matrices; ++which) {
      find_rows(blocks, which);
      if (rows_.empty()) {
        std::fill_n(product->trailing<Number>(), numbers, Number());
        continue;
      }
      const int first = basis.block(blocks.begin).begin;
      const double* const weights = matrix + static_cast<std::size_t>(which) * has.numbers();
      electrons::combine_rows(rows_,
                              {.data = weights + place_of(has, first, columns.begin),
                               .count = static_cast<std::size_t>(columns.size()),
                               .stride = static_cast<std::size_t>(has.columns.size())},
                              2 * waves,
                              which == 0 ? electrons::Sum::replaces : electrons::Sum::adds,
                              reinterpret_cast<double*>(product->trailing<Number>()), 2 * waves);
      charge(Work::products, block_product(static_cast<int>(rows_.size()), columns.size(), waves));
    }
  }
  auto* const below = reinterpret_cast<double*>(product->trailing<Number>() + numbers);
  // The diagonal is in the share of the group that has the block; the others' is not read.
  for (int i = 0; i < columns.size(); ++i)
    below[i] = group.contains(b) ? matrices_.front()->top -
                                       matrix[place_of(has, columns.begin + i, columns.begin + i)]
                                 : 0;
  drop_blocks();
  matrices_.clear();
  covered_ = 0;
  setup_->send_product(b, basis.part_of_chunk(k), std::move(product));
}

}  // namespace fg::ab_initio
