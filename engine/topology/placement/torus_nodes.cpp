// SPDX-License-Identifier: BSD-3-Clause
#include "topology/placement/torus_nodes.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "base/error.hpp"

namespace fg::topology {

TorusNodes::TorusNodes(Coordinates nodes, std::vector<int> lengths, std::vector<bool> wraps)
    : nodes_(std::move(nodes)), lengths_(std::move(lengths)), wraps_(std::move(wraps)) {
  FG_CHECK(lengths_.size() == static_cast<std::size_t>(nodes_.dimensions()));
  FG_CHECK(wraps_.size() == lengths_.size());
}

int TorusNodes::distance(int dimension, int a, int b) const noexcept {
  const auto d = static_cast<std::size_t>(dimension);
  const int apart = std::abs(a - b);
  return wraps_[d] ? std::min(apart, lengths_[d] - apart) : apart;
}

int TorusNodes::hops(int a, int b) const noexcept {
  int sum = 0;
  for (int d = 0; d < nodes_.dimensions(); ++d)
    sum += distance(d, nodes_.at(a, d), nodes_.at(b, d));
  return sum;
}

std::vector<std::int64_t> TorusNodes::sums_of_hops(std::span<const int> candidates,
                                                   std::span<const int> to) const {
  // Hops are a sum over dimensions, so that the sum over `to` is a sum of one table for each.
  std::vector<std::int64_t> sums(candidates.size());
  for (int d = 0; d < nodes_.dimensions(); ++d) {
    const int length = lengths_[static_cast<std::size_t>(d)];
    std::vector<std::int64_t> there(static_cast<std::size_t>(length)), hops(there.size());
    for (const int node : to) ++there[static_cast<std::size_t>(nodes_.at(node, d))];
    for (int a = 0; a < length; ++a)
      for (int b = 0; b < length; ++b)
        hops[static_cast<std::size_t>(a)] += there[static_cast<std::size_t>(b)] * distance(d, a, b);
    for (std::size_t i = 0; i < candidates.size(); ++i)
      sums[i] += hops[static_cast<std::size_t>(nodes_.at(candidates[i], d))];
  }
  return sums;
}

int TorusNodes::nearest(std::span<const int> candidates, std::span<const int> to) const {
  FG_CHECK(!candidates.empty());
  const std::vector<std::int64_t> sums = sums_of_hops(candidates, to);
  return candidates[static_cast<std::size_t>(std::ranges::min_element(sums) - sums.begin())];
}

std::vector<int> TorusNodes::nearest_first(std::span<const int> candidates,
                                           std::span<const int> to) const {
  const std::vector<std::int64_t> sums = sums_of_hops(candidates, to);
  std::vector<std::size_t> order(candidates.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return sums[a] < sums[b]; });
  std::vector<int> sorted;
  sorted.reserve(order.size());
  for (const std::size_t i : order) sorted.push_back(candidates[i]);
  return sorted;
}

std::vector<int> excluding(std::span<const int> candidates, std::span<const int> avoid,
                           std::size_t needed) {
  std::vector<int> avoided(avoid.begin(), avoid.end()), left;
  std::ranges::sort(avoided);
  for (const int node : candidates)
    if (!std::ranges::binary_search(avoided, node)) left.push_back(node);
  return left.size() >= needed ? left : std::vector<int>(candidates.begin(), candidates.end());
}

}  // namespace fg::topology
