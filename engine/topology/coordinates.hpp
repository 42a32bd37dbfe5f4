// SPDX-License-Identifier: BSD-3-Clause
//
// The coordinates of nodes in a network of any number of dimensions.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace fg::topology {

/// One row of integers for each node.
class Coordinates {
 public:
  Coordinates() = default;
  /// All zero.
  Coordinates(int nodes, int dimensions)
      : dimensions_(dimensions),
        nodes_(nodes),
        values_(static_cast<std::size_t>(nodes) * static_cast<std::size_t>(dimensions)) {}

  int nodes() const noexcept { return nodes_; }
  int dimensions() const noexcept { return dimensions_; }

  std::span<const int> of(int node) const noexcept {
    return {values_.data() + start(node), size()};
  }
  std::span<int> of(int node) noexcept { return {values_.data() + start(node), size()}; }
  int at(int node, int dimension) const noexcept {
    return values_[start(node) + static_cast<std::size_t>(dimension)];
  }

  bool operator==(const Coordinates&) const = default;

 private:
  std::size_t size() const noexcept { return static_cast<std::size_t>(dimensions_); }
  std::size_t start(int node) const noexcept { return static_cast<std::size_t>(node) * size(); }

  int dimensions_ = 0, nodes_ = 0;
  std::vector<int> values_;
};

}  // namespace fg::topology
