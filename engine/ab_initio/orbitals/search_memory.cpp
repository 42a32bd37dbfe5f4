// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/orbitals/search_memory.hpp"

#include <algorithm>

#include "ab_initio/orbitals/orbital_lines.hpp"
#include "electrons/matrices/row_products.hpp"

namespace fg::ab_initio {

namespace {

/// Numbers that are worked on at once, so that all vectors stay in the cache.
constexpr std::size_t chunk = 256;

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

SearchDirection two_loops(const SearchProducts& products, const StepChange& step_change,
                          int pairs) noexcept {
  SearchDirection to{.pairs = pairs, .scale = 1, .by_change = {}, .by_step = {}};
  if (pairs == 0) return to;
  std::array<double, most_pairs> along{};
  for (int i = 0; i < pairs; ++i) {
    double product = products.step_gradient[i];
    for (int k = 0; k < i; ++k) product -= along[k] * step_change[i][k];
    along[i] = product / step_change[i][i];
  }
  to.scale = step_change[0][0] / products.change_change[0][0];
  for (int i = pairs - 1; i >= 0; --i) {
    double product = products.change_gradient[i];
    for (int k = 0; k < pairs; ++k) product -= along[k] * products.change_change[i][k];
    product *= to.scale;
    for (int k = pairs - 1; k > i; --k) product += to.by_step[k] * step_change[k][i];
    to.by_change[i] = along[i];
    to.by_step[i] = along[i] - product / step_change[i][i];
  }
  return to;
}

SearchMemory::SearchMemory(int rows, std::span<const double> squares, std::ptrdiff_t zero)
    : rows_(rows), squares_(2 * squares.size()), zero_(zero) {
  set_squares(squares);
}

void SearchMemory::set_squares(std::span<const double> squares) noexcept {
  for (std::size_t i = 0; i < squares_.size(); ++i) squares_[i] = squares[i / 2];
}

SearchMemory::Pair& SearchMemory::next() {
  newest_ = (newest_ + 1) % most_pairs;
  count_ = std::min(count_ + 1, most_pairs);
  Pair& newest = pairs_[static_cast<std::size_t>(newest_)];
  newest.step.resize(static_cast<std::size_t>(rows_) * squares_.size());
  newest.change.resize(newest.step.size());
  return newest;
}

namespace {

constexpr std::size_t m = most_pairs;

/// Places of vectors in the work arrays, the newest pair last. So vectors that are multiplied with
/// each other lie side by side. Pairs that are not there stay 0.
constexpr std::size_t place(int age) {
  return m - 1 - static_cast<std::size_t>(age);
}

/// A chunk of all vectors, and sums of their products.
struct ChunkProducts {
  alignas(64) std::array<double, m * chunk> steps{};
  alignas(64) std::array<double, (m + 1) * chunk> changes{};   // then g
  alignas(64) std::array<double, (m + 1) * chunk> weighted{};  // K times those
  std::array<double, (m + 1) * (m + 1)> by_weighted{};         // <K y_i, K g|y_k, g>
  std::array<double, 2 * m> by_step{};                         // <s_i|y_0, g>
  std::array<double, m> newest_step{};                         // <s_0|y_k>
  double step_square = 0, change_square = 0;

  static double* row(auto& of, std::size_t i) noexcept { return of.data() + i * chunk; }

  void add(std::size_t n) noexcept {
    const auto products = [n](const double* a, std::size_t rows, const double* b,
                              std::size_t columns, double* to) {
      electrons::add_inner_products({a, rows, chunk}, {b, columns, chunk}, n, to, columns);
    };
    const double *const s_0 = row(steps, m - 1), *const y_0 = row(changes, m - 1);
    products(weighted.data(), m + 1, changes.data(), m + 1, by_weighted.data());
    products(steps.data(), m, y_0, 2, by_step.data());
    products(s_0, 1, changes.data(), m, newest_step.data());
    products(s_0, 1, s_0, 1, &step_square);
    products(y_0, 1, y_0, 1, &change_square);
  }

  /// Takes off half of what `other` has, the only wave that counts once: G = 0.
  SearchProducts sums(const ChunkProducts& zero) const noexcept {
    const auto twice_less = [](double all, double one) { return 2 * all - one; };
    SearchProducts sums{.step_square = twice_less(step_square, zero.step_square),
                        .change_square = twice_less(change_square, zero.change_square),
                        .steepness = twice_less(by_weighted.back(), zero.by_weighted.back())};
    const auto of_weighted = [&](std::size_t i, std::size_t k) {
      return twice_less(by_weighted[i * (m + 1) + k], zero.by_weighted[i * (m + 1) + k]);
    };
    for (int i = 0; i < most_pairs; ++i) {
      const std::size_t at = place(i);
      sums.step_gradient[i] = twice_less(by_step[2 * at + 1], zero.by_step[2 * at + 1]);
      sums.step_newest_change[i] = twice_less(by_step[2 * at], zero.by_step[2 * at]);
      sums.newest_step_change[i] = twice_less(newest_step[at], zero.newest_step[at]);
      sums.change_gradient[i] = of_weighted(at, m);
      for (int k = 0; k < most_pairs; ++k)
        sums.change_change[i][k] = of_weighted(place(std::max(i, k)), place(std::min(i, k)));
    }
    return sums;
  }
};

}  // namespace

SearchProducts SearchMemory::products(const Vector& gradient, std::span<const double> below,
                                      const Step* step) {
  const std::size_t n = squares_.size();
  if (step != nullptr) next();
  ChunkProducts all, zero;
  const auto load = [&](ChunkProducts& to, std::size_t row, std::size_t first, std::size_t count) {
    const std::size_t at = row * n + first;
    for (int age = 0; age < count_; ++age) {
      widen_line(pair(age).step.data() + at, count, to.row(to.steps, place(age)));
      widen_line(pair(age).change.data() + at, count, to.row(to.changes, place(age)));
    }
    std::copy_n(numbers(gradient.data()) + at, count, to.row(to.changes, m));
    for (std::size_t i = m - static_cast<std::size_t>(count_); i <= m; ++i)
      precondition_line(squares_.data() + first, below[row], to.row(to.changes, i), count,
                        to.row(to.weighted, i));
  };
  for (std::size_t row = 0; row < static_cast<std::size_t>(rows_); ++row) {
    for (std::size_t first = 0; first < n; first += chunk) {
      const std::size_t count = std::min(chunk, n - first);
      if (step != nullptr) {
        const std::size_t at = row * n + first;
        Pair& newest = pairs_[static_cast<std::size_t>(newest_)];
        new_pair_line({.direction = numbers(step->direction.data()) + at,
                       .gradient = numbers(gradient.data()) + at,
                       .gradient_before = numbers(step->gradient_before.data()) + at,
                       .length = step->length},
                      count, newest.step.data() + at, newest.change.data() + at);
      }
      load(all, row, first, count);
      all.add(count);
    }
    if (zero_ < 0) continue;
    load(zero, row, 2 * static_cast<std::size_t>(zero_), 2);
    zero.add(2);
  }
  return all.sums(zero);
}

void SearchMemory::direction(const Vector& gradient, std::span<const double> below,
                             const SearchDirection& of, Vector& result) const {
  const std::size_t n = squares_.size();
  const auto pairs = static_cast<std::size_t>(of.pairs);
  std::array<const float*, m> changes{}, steps{};
  for (std::size_t p = 0; p < pairs; ++p) {
    changes[p] = pair(static_cast<int>(p)).change.data();
    steps[p] = pair(static_cast<int>(p)).step.data();
  }
  SearchTerms terms{.changes = std::span<const float* const>(changes).first(pairs),
                    .steps = std::span<const float* const>(steps).first(pairs),
                    .first = 0,
                    .by_change = of.by_change,
                    .by_step = of.by_step,
                    .scale = of.scale};
  for (std::size_t row = 0; row < static_cast<std::size_t>(rows_); ++row) {
    terms.first = row * n;
    search_line(squares_.data(), below[row], numbers(gradient.data()) + row * n, terms, n,
                reinterpret_cast<double*>(result.data()) + row * n);
  }
}

}  // namespace fg::ab_initio
