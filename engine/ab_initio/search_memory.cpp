// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/search_memory.hpp"

#include <algorithm>

namespace fg::ab_initio {

namespace {

/// Waves that are worked on at once, so that all vectors stay in the cache.
constexpr std::size_t chunk = 256;

double dot(const double* a, const double* b, std::size_t count) noexcept {
  std::array<double, 8> sums{};
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8)
    for (std::size_t p = 0; p < 8; ++p) sums[p] += a[i + p] * b[i + p];
  for (; i < count; ++i) sums[i % 8] += a[i] * b[i];
  return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

const double* numbers(const std::complex<double>* block) noexcept {
  return reinterpret_cast<const double*>(block);
}

}  // namespace

std::array<double, SearchProducts::count> SearchProducts::values() const noexcept {
  std::array<double, count> all{step_square, change_square};
  auto to = all.begin() + 2;
  for (const Row* row :
       {&step_gradient, &change_gradient, &newest_step_change, &step_newest_change})
    to = std::copy(row->begin(), row->end(), to);
  for (const Row& row : change_change) to = std::copy(row.begin(), row.end(), to);
  return all;
}

SearchProducts SearchProducts::of(std::span<const double> values) noexcept {
  SearchProducts all{.step_square = values[0], .change_square = values[1]};
  auto from = values.begin() + 2;
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

void set_direction(const SearchProducts& products, const StepChange& step_change, int pairs,
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

SearchProducts SearchMemory::products(const Vector& gradient, std::span<const double> below) const {
  SearchProducts all;
  if (count_ == 0) return all;
  const std::size_t waves = squares_.size();
  AlignedVector<double> k(2 * chunk);
  std::array<AlignedVector<double>, most_pairs> weighted;
  for (auto& one : weighted) one.resize(2 * chunk);
  // A wave counts twice, G = 0 once.
  const auto add = [&](std::size_t first, std::size_t count, double weight, int row) {
    for (std::size_t i = 0; i < count; ++i)
      k[2 * i] = k[2 * i + 1] =
          1 / (squares_[first + i] / 2 + below[static_cast<std::size_t>(row)]);
    const std::size_t at = static_cast<std::size_t>(row) * waves + first;
    const double* const g = numbers(gradient.data() + at);
    std::array<const double*, most_pairs> s{}, y{};
    for (int i = 0; i < count_; ++i) {
      s[i] = numbers(pair(i).step.data() + at);
      y[i] = numbers(pair(i).change.data() + at);
      for (std::size_t j = 0; j < 2 * count; ++j) weighted[i][j] = k[j] * y[i][j];
    }
    const std::size_t n = 2 * count;
    all.step_square += weight * dot(s[0], s[0], n);
    all.change_square += weight * dot(y[0], y[0], n);
    for (int i = 0; i < count_; ++i) {
      all.step_gradient[i] += weight * dot(s[i], g, n);
      all.change_gradient[i] += weight * dot(weighted[i].data(), g, n);
      all.newest_step_change[i] += weight * dot(s[0], y[i], n);
      all.step_newest_change[i] += weight * dot(s[i], y[0], n);
      for (int j = 0; j <= i; ++j)
        all.change_change[i][j] += weight * dot(weighted[i].data(), y[j], n);
    }
  };
  for (int row = 0; row < rows_; ++row) {
    for (std::size_t first = 0; first < waves; first += chunk)
      add(first, std::min(chunk, waves - first), 2, row);
    if (zero_ >= 0) add(static_cast<std::size_t>(zero_), 1, -1, row);
  }
  for (int i = 0; i < count_; ++i)
    for (int j = 0; j < i; ++j) all.change_change[j][i] = all.change_change[i][j];
  return all;
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
