// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/search_memory.hpp"

#include <algorithm>

#include "electrons/blas.hpp"

namespace fg::ab_initio {

namespace {

/// Waves that are worked on at once, so that all vectors stay in the cache.
constexpr std::size_t chunk = 256;

const double* numbers(const std::complex<double>* block) noexcept {
  return reinterpret_cast<const double*>(block);
}

}  // namespace

std::array<double, SearchProducts::count> SearchProducts::values() const noexcept {
  std::array<double, count> all{step_square, change_square, steepness};
  auto to = all.begin() + 3;
  for (const Row* row :
       {&step_gradient, &change_gradient, &newest_step_change, &step_newest_change})
    to = std::copy(row->begin(), row->end(), to);
  for (const Row& row : change_change) to = std::copy(row.begin(), row.end(), to);
  return all;
}

SearchProducts SearchProducts::of(std::span<const double> values) noexcept {
  SearchProducts all{.step_square = values[0], .change_square = values[1], .steepness = values[2]};
  auto from = values.begin() + 3;
  for (Row* row : {&all.step_gradient, &all.change_gradient, &all.newest_step_change,
                   &all.step_newest_change}) {
    std::copy_n(from, m, row->begin());
    from += m;
  }
  for (Row& row : all.change_change) {
    std::copy_n(from, m, row.begin());
    from += m;
  }
  return all;
}

void add_newest(const SearchProducts& products, StepChange& step_change) noexcept {
  for (int i = most_pairs - 1; i > 0; --i)
    for (int k = most_pairs - 1; k > 0; --k) step_change[i][k] = step_change[i - 1][k - 1];
  for (int i = 0; i < most_pairs; ++i) {
    step_change[0][i] = products.newest_step_change[i];
    step_change[i][0] = products.step_newest_change[i];
  }
}

void two_loops(const SearchProducts& products, const StepChange& step_change, int pairs,
               OrderMessage& order) noexcept {
  order.pairs = pairs;
  order.scale = 1;
  if (pairs == 0) return;
  std::array<double, most_pairs> along{};
  for (int i = 0; i < pairs; ++i) {
    double product = products.step_gradient[i];
    for (int k = 0; k < i; ++k) product -= along[k] * step_change[i][k];
    along[i] = product / step_change[i][i];
  }
  order.scale = step_change[0][0] / products.change_change[0][0];
  for (int i = pairs - 1; i >= 0; --i) {
    double product = products.change_gradient[i];
    for (int k = 0; k < pairs; ++k) product -= along[k] * products.change_change[i][k];
    product *= order.scale;
    for (int k = pairs - 1; k > i; --k) product += order.by_step[k] * step_change[k][i];
    order.by_change[i] = along[i];
    order.by_step[i] = along[i] - product / step_change[i][i];
  }
}

SearchMemory::SearchMemory(int rows, std::span<const double> squares, std::ptrdiff_t zero)
    : rows_(rows), squares_(squares), zero_(zero) {}

SearchMemory::Pair& SearchMemory::next() {
  newest_ = (newest_ + 1) % most_pairs;
  count_ = std::min(count_ + 1, most_pairs);
  Pair& pair = pairs_[static_cast<std::size_t>(newest_)];
  const std::size_t size = static_cast<std::size_t>(rows_) * squares_.size();
  pair.step.resize(size);
  pair.change.resize(size);
  return pair;
}

/// Rows of the two factors whose products with each other are wanted: s_i, K y_i, K g and y_0 with
/// y_i, g and s_0.
namespace {

constexpr std::size_t m = most_pairs;
constexpr std::size_t k_change_row = m, k_gradient_row = 2 * m, newest_row = 2 * m + 1;
constexpr std::size_t left_rows = 2 * m + 2;
constexpr std::size_t gradient_column = m, step_column = m + 1, right_rows = m + 2;

}  // namespace

SearchProducts SearchMemory::products(const Vector& gradient, std::span<const double> below) const {
  const std::size_t waves = squares_.size();
  // Rows of pairs that are not there stay 0.
  constexpr std::size_t stride = 2 * chunk;
  alignas(64) std::array<double, left_rows * stride> left{};
  alignas(64) std::array<double, right_rows * stride> right{};
  alignas(64) std::array<double, stride> k;
  std::array<double, left_rows * right_rows> all{};
  // A wave counts twice, G = 0 once.
  const auto add = [&](std::size_t first, std::size_t count, double weight, int row) {
    const std::size_t n = 2 * count;
    for (std::size_t i = 0; i < count; ++i)
      k[2 * i] = k[2 * i + 1] =
          1 / (squares_[first + i] / 2 + below[static_cast<std::size_t>(row)]);
    const std::size_t at = static_cast<std::size_t>(row) * waves + first;
    const auto plain = [&](std::span<double> to, std::size_t place, const double* from) {
      std::copy_n(from, n, to.data() + place * stride);
    };
    const auto weighted = [&](std::size_t place, const double* from) {
      double* const to = left.data() + place * stride;
      for (std::size_t i = 0; i < n; ++i) to[i] = k[i] * from[i];
    };
    for (int p = 0; p < count_; ++p) {
      const auto place = static_cast<std::size_t>(p);
      plain(left, place, numbers(pair(p).step.data() + at));
      plain(right, place, numbers(pair(p).change.data() + at));
      weighted(k_change_row + place, numbers(pair(p).change.data() + at));
    }
    const double* const g = numbers(gradient.data() + at);
    weighted(k_gradient_row, g);
    plain(right, gradient_column, g);
    if (count_ > 0) {
      plain(left, newest_row, numbers(pair(0).change.data() + at));
      plain(right, step_column, numbers(pair(0).step.data() + at));
    }
    using Reading = electrons::blas::Factor::Reading;
    electrons::blas::multiply(left_rows, right_rows, n, weight, {left.data(), stride},
                              {right.data(), stride, Reading::transposed}, 1, all.data(),
                              right_rows);
  };
  for (int row = 0; row < rows_; ++row) {
    for (std::size_t first = 0; first < waves; first += chunk)
      add(first, std::min(chunk, waves - first), 2, row);
    if (zero_ >= 0) add(static_cast<std::size_t>(zero_), 1, -1, row);
  }
  const auto of = [&](std::size_t row, std::size_t column) {
    return all[row * right_rows + column];
  };
  SearchProducts sums{.step_square = of(0, step_column),
                      .change_square = of(newest_row, 0),
                      .steepness = of(k_gradient_row, gradient_column)};
  for (std::size_t i = 0; i < m; ++i) {
    sums.step_gradient[i] = of(i, gradient_column);
    sums.change_gradient[i] = of(k_change_row + i, gradient_column);
    sums.newest_step_change[i] = of(0, i);
    sums.step_newest_change[i] = of(i, 0);
    for (std::size_t j = 0; j < m; ++j)
      sums.change_change[i][j] = of(k_change_row + std::max(i, j), std::min(i, j));
  }
  return sums;
}

void SearchMemory::direction(const Vector& gradient, std::span<const double> below,
                             const OrderMessage& order, Vector& result) const {
  const std::size_t waves = squares_.size();
  for (int row = 0; row < rows_; ++row)
    for (std::size_t first = 0; first < waves; first += chunk) {
      const std::size_t count = std::min(chunk, waves - first);
      const std::size_t at = static_cast<std::size_t>(row) * waves + first;
      Number* const to = result.data() + at;
      std::copy_n(gradient.data() + at, count, to);
      for (int p = 0; p < order.pairs; ++p) {
        const Number* const y = pair(p).change.data() + at;
        for (std::size_t i = 0; i < count; ++i) to[i] -= order.by_change[p] * y[i];
      }
      for (std::size_t i = 0; i < count; ++i)
        to[i] *= -order.scale / (squares_[first + i] / 2 + below[static_cast<std::size_t>(row)]);
      for (int p = 0; p < order.pairs; ++p) {
        const Number* const s = pair(p).step.data() + at;
        for (std::size_t i = 0; i < count; ++i) to[i] -= order.by_step[p] * s[i];
      }
    }
}

}  // namespace fg::ab_initio
