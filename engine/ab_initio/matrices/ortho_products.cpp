// SPDX-License-Identifier: BSD-3-Clause
//
// What tiles do together. In a product each tile sends its factors along its row and its column. It
// adds up what it gets in the order of the tiles, and not in the order of arrival.
#include <algorithm>
#include <cmath>
#include <utility>

#include "ab_initio/division/costs.hpp"
#include "ab_initio/matrices/ortho_product.hpp"
#include "ab_initio/matrices/setups.hpp"
#include "runtime/simulated/simulated_time.hpp"

namespace fg::ab_initio {

namespace {

/// As in electrons/matrices/inverse_square_root.cpp.
constexpr double last_residual = 1.5e-8;
constexpr int most_rounds = 20;

using Reading = electrons::blas::Factor::Reading;

}  // namespace

Ref<TileMessage> Ortho::message_of(const Matrix& tile, int place) const {
  auto message = make_message<TileMessage>(tile.size() * sizeof(double));
  message->place = place;
  message->share = share_;
  std::copy(tile.begin(), tile.end(), message->trailing<double>());
  return message;
}

void Ortho::left(Ref<const TileMessage> factor) {
  const auto place = static_cast<std::size_t>(factor->place);
  left_[place] = std::move(factor);
}

void Ortho::right(Ref<const TileMessage> factor) {
  const auto place = static_cast<std::size_t>(factor->place);
  right_[place] = std::move(factor);
}

Task Ortho::multiply(Product product) {
  const auto rows = static_cast<std::size_t>(share_.rows.size());
  const auto columns = static_cast<std::size_t>(share_.columns.size());
  const bool transposed = product.reading == Reading::transposed;
  if (is_alone()) {
    const PhaseTimer timer(ortho_phase);
    electrons::blas::multiply(rows, columns, rows, product.factor,
                              {product.a->data(), rows, product.reading},
                              {product.b->data(), columns}, 1, product.to->data(), columns);
    charge(Work::products, matrix_product(rows, columns, rows));
    co_return;
  }
  const std::int64_t turn = turn_++;
  const auto [i, j] = index();
  // Transposed, the tile belongs to the row with the number of its column.
  const auto row = static_cast<std::size_t>(transposed ? j : i);
  setup_->tile_rows[row].multicast_at<&Ortho::left>(
      turn, message_of(*product.a, transposed ? i : j), Lane::high);
  setup_->tile_columns[static_cast<std::size_t>(j)].multicast_at<&Ortho::right>(
      turn, message_of(*product.b, i), Lane::high);
  co_await all_of(expect<&Ortho::left>(turn, setup_side_),
                  expect<&Ortho::right>(turn, setup_side_));
  const PhaseTimer timer(ortho_phase);
  for (std::size_t k = 0; k < left_.size(); ++k) {
    const TileMessage& a = *left_[k];
    const TileMessage& b = *right_[k];
    electrons::blas::multiply(
        rows, columns, static_cast<std::size_t>(b.share.rows.size()), product.factor,
        {a.trailing<double>(), static_cast<std::size_t>(a.share.columns.size()), product.reading},
        {b.trailing<double>(), columns}, 1, product.to->data(), columns);
    charge(Work::products,
           matrix_product(rows, columns, static_cast<std::size_t>(b.share.rows.size())));
    left_[k] = {};
    right_[k] = {};
  }
}

/// Sends a tile to the other side of the diagonal, and awaits the one from there.
Task Ortho::exchange(const Matrix* tile) {
  const std::int64_t turn = turn_++;
  if (on_diagonal()) co_return;
  const auto [i, j] = index();
  array()[{j, i}].send_at<&Ortho::across>(turn, message_of(*tile, 0), Lane::high);
  co_await when<&Ortho::across>(turn);
}

Task Ortho::make_symmetric(Matrix* tile) {
  co_await exchange(tile);
  const PhaseTimer timer(ortho_phase);
  fill_in(*setup_->basis, share_, *tile,
          on_diagonal() ? std::span<const double>(*tile)
                        : std::span(across_->trailing<double>(), tile->size()));
  across_ = {};
}

Task Ortho::average(Matrix* tile) {
  co_await exchange(tile);
  const PhaseTimer timer(ortho_phase);
  average_halves(share_, *tile,
                 on_diagonal() ? std::span<const double>(*tile)
                               : std::span(across_->trailing<double>(), tile->size()));
  across_ = {};
}

/// Brings all tiles to tile (0, 0), into its whole matrix.
Task Ortho::gather(const Matrix* tile, Matrix* whole) {
  const std::int64_t turn = turn_++;
  auto message = message_of(*tile, 0);
  array()[{0, 0}].send_at<&Ortho::gathered>(turn, std::move(message), Lane::high);
  if (!is_corner()) co_return;
  gather_to_ = whole;
  co_await when<&Ortho::gathered>(turn, setup_side_ * setup_side_);
}

/// Brings the first so many of the matrices that have arrived to tile (0, 0).
Task Ortho::gather_sums(int matrices) {
  if (is_alone()) co_return;
  co_await gather(&first_, &whole_);
  if (matrices > 1) co_await gather(&second_, &whole_second_);
  if (matrices > 2) co_await gather(&third_, &whole_third_);
}

void Ortho::gathered(Ref<const TileMessage> tile) {
  const MatrixShare& share = tile->share;
  const auto columns = static_cast<std::size_t>(share.columns.size());
  const auto stride = static_cast<std::size_t>(n_);
  const double* from = tile->trailing<double>();
  for (int row = share.rows.begin; row < share.rows.end; ++row, from += columns)
    std::copy_n(from, columns,
                gather_to_->data() + static_cast<std::size_t>(row) * stride + share.columns.begin);
}

void Ortho::residual(Ref<const ReductionMessage<double>> square) {
  residual_ = std::sqrt(square->values()[0]);
}

/// The norm of Frobenius of the matrix of which each tile has a part.
Task Ortho::add_squares(const Matrix* tile) {
  const std::int64_t turn = turn_++;
  double sum = 0;
  for (const double x : *tile) sum += x * x;
  setup_->residuals.contribute(*this, turn, {sum});
  co_await when<&Ortho::residual>(turn);
}

void Ortho::add_unit(double value, Matrix& tile) const noexcept {
  const auto columns = static_cast<std::size_t>(share_.columns.size());
  const int end = std::min(share_.rows.end, share_.columns.end);
  for (int k = std::max(share_.rows.begin, share_.columns.begin); k < end; ++k)
    tile[static_cast<std::size_t>(k - share_.rows.begin) * columns +
         static_cast<std::size_t>(k - share_.columns.begin)] += value;
}

/// From S - I in first_ to S^(-1/2) in second_: the iteration of
/// electrons/matrices/inverse_square_root.hpp. Not found if the residual does not fall, which
/// rounding alone can cause.
Task Ortho::inverse_root(bool* found) {
  *found = false;
  y_ = first_;
  add_unit(1, y_);
  // The first round, without the products by Z = I.
  for (std::size_t i = 0; i < r_.size(); ++i) {
    r_[i] = -first_[i];
    z_[i] = 0.5 * r_[i];
  }
  add_unit(1, z_);
  co_await add_squares(&r_);
  for (int round = 0; residual_ > last_residual; ++round) {
    product_ = y_;
    co_await multiply(
        {.factor = 0.5, .a = &y_, .reading = Reading::as_stored, .b = &r_, .to = &product_});
    y_.swap(product_);
    std::fill(r_.begin(), r_.end(), 0.0);
    co_await multiply({.factor = -1, .a = &z_, .reading = Reading::as_stored, .b = &y_, .to = &r_});
    add_unit(1, r_);
    const double before = residual_;
    co_await add_squares(&r_);
    if (!(residual_ < before) || round == most_rounds) co_return;
    product_ = z_;
    co_await multiply(
        {.factor = 0.5, .a = &r_, .reading = Reading::as_stored, .b = &z_, .to = &product_});
    z_.swap(product_);
  }
  second_ = z_;
  co_await average(&second_);
  *found = true;
}

}  // namespace fg::ab_initio
