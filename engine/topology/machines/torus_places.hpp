// SPDX-License-Identifier: BSD-3-Clause
//
// The places of a torus: their numbers, and the order of its nodes.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "topology/machines/description.hpp"

namespace fg::topology {

/// Routers are numbered with the last coordinate fastest.
class TorusPlaces {
 public:
  /// The lengths have been checked.
  explicit TorusPlaces(const TorusDescription& description);

  int axes() const noexcept { return static_cast<int>(lengths_.size()); }
  int length(int axis) const noexcept { return lengths_[static_cast<std::size_t>(axis)]; }
  bool wraps(int axis) const noexcept { return wraps_[static_cast<std::size_t>(axis)]; }
  int stride(int axis) const noexcept { return strides_[static_cast<std::size_t>(axis)]; }
  int routers() const noexcept { return routers_; }
  std::string axis_names() const;

  /// The coordinates are in range.
  int router(const std::vector<int>& coordinates) const noexcept;
  std::vector<int> coordinates(int router) const;
  /// The router at a place in the machine's own order.
  int in_order(int place, NodeOrder order) const;

 private:
  std::string axes_;
  std::vector<int> lengths_;
  std::vector<bool> wraps_;
  std::vector<int> strides_;
  int routers_ = 1;
};

}  // namespace fg::topology
