// SPDX-License-Identifier: BSD-3-Clause
#include "topology/placement/snake_order.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace fg::topology {

namespace {

/// Walks over rows that are sorted by all dimensions, and turns back at the end of each line.
class Walk {
 public:
  Walk(const Coordinates& points, std::span<const int> dimensions, std::span<const int> sorted)
      : points_(points), dimensions_(dimensions), sorted_(sorted), back_(dimensions.size()) {
    visited_.reserve(sorted.size());
    visit(0, sorted.size(), 0);
  }
  const std::vector<int>& visited() const noexcept { return visited_; }

 private:
  /// Rows from `begin` to `end`, which agree in the first `depth` dimensions.
  void visit(std::size_t begin, std::size_t end, std::size_t depth) {
    if (depth == dimensions_.size()) {
      for (std::size_t i = begin; i < end; ++i) visited_.push_back(sorted_[i]);
      return;
    }
    const auto at = [&](std::size_t i) { return points_.at(sorted_[i], dimensions_[depth]); };
    if (back_[depth]) {
      for (std::size_t last = end; last > begin;) {
        std::size_t first = last - 1;
        while (first > begin && at(first - 1) == at(last - 1)) --first;
        visit(first, last, depth + 1);
        last = first;
      }
    } else {
      for (std::size_t first = begin; first < end;) {
        std::size_t last = first + 1;
        while (last < end && at(last) == at(first)) ++last;
        visit(first, last, depth + 1);
        first = last;
      }
    }
    back_[depth] = !back_[depth];
  }

  const Coordinates& points_;
  std::span<const int> dimensions_, sorted_;
  std::vector<bool> back_;  // [dimensions] the next line is walked from its high end
  std::vector<int> visited_;
};

}  // namespace

void sort_in_snake_order(const Coordinates& points, std::span<const int> dimensions,
                         std::span<int> rows) {
  std::stable_sort(rows.begin(), rows.end(), [&](int a, int b) {
    for (const int d : dimensions)
      if (points.at(a, d) != points.at(b, d)) return points.at(a, d) < points.at(b, d);
    return false;
  });
  const Walk walk(points, dimensions, rows);
  std::ranges::copy(walk.visited(), rows.begin());
}

std::vector<int> spans_of(const Coordinates& points, std::span<const int> rows) {
  std::vector<int> spans(static_cast<std::size_t>(points.dimensions()));
  if (rows.empty()) return spans;
  for (int d = 0; d < points.dimensions(); ++d) {
    int low = points.at(rows[0], d), high = low;
    for (const int row : rows) {
      low = std::min(low, points.at(row, d));
      high = std::max(high, points.at(row, d));
    }
    spans[static_cast<std::size_t>(d)] = high - low + 1;
  }
  return spans;
}

std::vector<int> longest_first(std::span<const int> spans) {
  std::vector<int> order(spans.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, [&](int a, int b) {
    return spans[static_cast<std::size_t>(a)] > spans[static_cast<std::size_t>(b)];
  });
  return order;
}

}  // namespace fg::topology
