// SPDX-License-Identifier: BSD-3-Clause
#include "topology/placement/hilbert_order.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace fg::topology {

namespace {

/// The place of a point on the curve through a cube with sides of 2 to the power of `bits` (J.
/// Skilling, AIP Conf. Proc. 707, 381 (2004)). `x` is used up.
std::uint64_t place_on_curve(std::span<std::uint32_t> x, int bits) {
  const auto exchange = [&](std::size_t i, std::uint32_t bit) {
    if (x[i] & bit) {
      x[0] ^= bit - 1;  // inverts the lower bits
    } else {
      const std::uint32_t differing = (x[0] ^ x[i]) & (bit - 1);
      x[0] ^= differing;
      x[i] ^= differing;
    }
  };
  const std::uint32_t highest = bits > 0 ? std::uint32_t{1} << (bits - 1) : 0;
  for (std::uint32_t bit = highest; bit > 1; bit >>= 1)
    for (std::size_t i = 0; i < x.size(); ++i) exchange(i, bit);
  for (std::size_t i = 1; i < x.size(); ++i) x[i] ^= x[i - 1];  // Gray code
  std::uint32_t inverted = 0;
  for (std::uint32_t bit = highest; bit > 1; bit >>= 1)
    if (x.back() & bit) inverted ^= bit - 1;
  std::uint64_t place = 0;
  for (std::uint32_t bit = highest; bit > 0; bit >>= 1)
    for (const std::uint32_t value : x)
      place = place << 1 | (((value ^ inverted) & bit) != 0 ? 1u : 0u);
  return place;
}

}  // namespace

void sort_in_hilbert_order(const Coordinates& points, std::span<int> rows) {
  if (rows.empty() || points.dimensions() == 0) return;
  const auto dimensions = static_cast<std::size_t>(points.dimensions());
  std::vector<int> low(points.of(rows[0]).begin(), points.of(rows[0]).end());
  int longest = 0;
  for (std::size_t d = 0; d < dimensions; ++d) {
    int high = low[d];
    for (const int row : rows) {
      low[d] = std::min(low[d], points.of(row)[d]);
      high = std::max(high, points.of(row)[d]);
    }
    longest = std::max(longest, high - low[d]);
  }
  const auto bits = static_cast<int>(std::bit_width(static_cast<unsigned>(longest)));
  if (bits * points.dimensions() > 64)
    throw InputError({.what = "the points are too far apart for a Hilbert curve",
                      .value = std::to_string(longest + 1) + " positions in one of " +
                               std::to_string(dimensions) + " dimensions",
                      .limit = "64 bits for all dimensions together",
                      .hint = "use another order of the nodes"});
  std::vector<std::pair<std::uint64_t, int>> placed;
  placed.reserve(rows.size());
  std::vector<std::uint32_t> x(dimensions);
  for (const int row : rows) {
    for (std::size_t d = 0; d < dimensions; ++d)
      x[d] = static_cast<std::uint32_t>(points.of(row)[d] - low[d]);
    placed.emplace_back(place_on_curve(x, bits), row);
  }
  std::ranges::stable_sort(placed, {}, &std::pair<std::uint64_t, int>::first);
  std::ranges::transform(placed, rows.begin(), &std::pair<std::uint64_t, int>::second);
}

}  // namespace fg::topology
