// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/places/torus_way.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace fg::ab_initio {

namespace {

topology::TorusNodes nodes_of(const std::array<int, 3>& sides) {
  topology::Coordinates nodes(sides[0] * sides[1] * sides[2], 3);
  for (int node = 0; node < nodes.nodes(); ++node) {
    const std::array at{node % sides[0], node / sides[0] % sides[1], node / sides[0] / sides[1]};
    std::ranges::copy(at, nodes.of(node).begin());
  }
  return {std::move(nodes), {sides.begin(), sides.end()}, {true, true, true}};
}

std::array<int, 3> turned(std::array<int, 3> sides, std::size_t axis) {
  std::swap(sides[axis], sides[2]);
  return sides;
}

}  // namespace

TorusWay::TorusWay(const std::array<int, 3>& sides, int prisms)
    : sides_(sides), prisms_(sides, prisms), nodes_(nodes_of(sides)) {
  std::int64_t fewest = -1;
  TorusPrisms best = prisms_;
  std::size_t best_axis = axis_;
  for (const std::size_t axis : {std::size_t{2}, std::size_t{1}, std::size_t{0}}) {
    axis_ = axis;
    prisms_ = TorusPrisms(turned(sides, axis), prisms);
    if (!prisms_.valid()) continue;
    // All prisms are alike.
    std::vector<int> first(static_cast<std::size_t>(size() / prisms));
    std::iota(first.begin(), first.end(), 0);
    for (int& place : first) place = node(place);
    const std::vector<std::int64_t> sums = nodes_.sums_of_hops(first, first);
    const std::int64_t hops = std::accumulate(sums.begin(), sums.end(), std::int64_t{0});
    if (fewest >= 0 && hops >= fewest) continue;
    fewest = hops;
    best = prisms_;
    best_axis = axis;
  }
  prisms_ = best;
  axis_ = best_axis;
}

int TorusWay::node(int place) const noexcept {
  const std::array<int, 3> sides = turned(sides_, axis_);
  const int there = prisms_.node(place);
  std::array at{there % sides[0], there / sides[0] % sides[1], there / sides[0] / sides[1]};
  std::swap(at[axis_], at[2]);
  return at[0] + sides_[0] * (at[1] + sides_[1] * at[2]);
}

}  // namespace fg::ab_initio
