// SPDX-License-Identifier: BSD-3-Clause
//
// Nodes of a torus, and which of them are near others. The centroid of a set is the node with the
// least sum of hops to it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "topology/coordinates.hpp"

namespace fg::topology {

class TorusNodes {
 public:
  /// The coordinates are inside of the torus.
  TorusNodes(Coordinates nodes, std::vector<int> lengths, std::vector<bool> wraps);

  int size() const noexcept { return nodes_.nodes(); }
  const Coordinates& coordinates() const noexcept { return nodes_; }
  int hops(int a, int b) const noexcept;

  /// The sum of hops from each candidate to all of `to`; a node may be there several times.
  std::vector<std::int64_t> sums_of_hops(std::span<const int> candidates,
                                         std::span<const int> to) const;
  /// The candidate with the least sum, the first of several. With all nodes as candidates it is the
  /// centroid. With the set itself it is the most central member of the set.
  int nearest(std::span<const int> candidates, std::span<const int> to) const;
  /// Candidates with a lower sum first; equal ones keep their order.
  std::vector<int> nearest_first(std::span<const int> candidates, std::span<const int> to) const;

 private:
  int distance(int dimension, int a, int b) const noexcept;

  Coordinates nodes_;
  std::vector<int> lengths_;
  std::vector<bool> wraps_;
};

/// The candidates that are not in `avoid`, if there are at least `needed` of them; else all.
std::vector<int> excluding(std::span<const int> candidates, std::span<const int> avoid,
                           std::size_t needed);

}  // namespace fg::topology
