// SPDX-License-Identifier: BSD-3-Clause
//
// A part of the hops between two routers: the steps along one axis of a torus, or the way up to a
// switch of one level and down. Where hops are a sum over axes, what a rank's messages cost on all
// nodes follows from the bytes that go to each position of each axis.
#pragma once

#include <cstdlib>
#include <vector>

namespace fg::topology {

struct HopAxis {
  std::vector<int> position_of_router{};
  int positions = 0;
  /// Hops from a to b, at the index b - a + positions - 1. None: all different positions are
  /// `apart` hops from each other.
  std::vector<int> by_difference{};
  int apart = 0;

  int hops(int a, int b) const noexcept {
    if (a == b) return 0;
    return by_difference.empty() ? apart
                                 : by_difference[static_cast<std::size_t>(b - a + positions - 1)];
  }
};

}  // namespace fg::topology
