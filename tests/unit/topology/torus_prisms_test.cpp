// SPDX-License-Identifier: BSD-3-Clause
//
// Prisms on a torus: every node once, each prism a box over the whole third side.
#include "topology/torus_prisms.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace fg {
namespace {

TEST(TorusPrisms, HaveEveryNodeOnceAndAreBoxes) {
  for (const std::array<int, 3> sides : {std::array{4, 4, 2}, {8, 8, 8}, {2, 6, 3}, {1, 1, 5}})
    for (int prisms = 1; prisms <= sides[0] * sides[1]; ++prisms) {
      const TorusPrisms torus(sides, prisms);
      if (!torus.valid()) continue;
      std::set<int> seen;
      const int size = torus.nodes() / prisms;
      for (int prism = 0; prism < prisms; ++prism) {
        std::array<int, 3> low{99, 99, 99}, high{};
        for (int i = 0; i < size; ++i) {
          const int node = torus.node(prism * size + i);
          seen.insert(node);
          const std::array<int, 3> at{node % sides[0], node / sides[0] % sides[1],
                                      node / sides[0] / sides[1]};
          for (std::size_t d = 0; d < 3; ++d) {
            low[d] = std::min(low[d], at[d]);
            high[d] = std::max(high[d], at[d] + 1);
          }
          EXPECT_EQ(at[2], i / (size / sides[2]));  // layer by layer
        }
        EXPECT_EQ((high[0] - low[0]) * (high[1] - low[1]) * (high[2] - low[2]), size);
      }
      EXPECT_EQ(static_cast<int>(seen.size()), torus.nodes());
      EXPECT_EQ(*seen.begin(), 0);
      EXPECT_EQ(*seen.rbegin(), torus.nodes() - 1);
    }
}

TEST(TorusPrisms, AreAsSquareAsTheyCan) {
  // 64 nodes of 8 x 8 in 16 prisms: 2 x 2, so that the second begins at x = 2.
  const TorusPrisms torus({8, 8, 1}, 16);
  EXPECT_EQ(torus.node(4), 2);
  EXPECT_EQ(torus.node(2), 8);
}

TEST(TorusPrisms, HaveToTileTheTorus) {
  EXPECT_FALSE(TorusPrisms({4, 4, 4}, 3).valid());
  EXPECT_FALSE(TorusPrisms({4, 4, 4}, 0).valid());
  EXPECT_FALSE(TorusPrisms({4, 4, 4}, 32).valid());
  EXPECT_TRUE(TorusPrisms({4, 4, 4}, 16).valid());
}

}  // namespace
}  // namespace fg
