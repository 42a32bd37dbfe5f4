// SPDX-License-Identifier: BSD-3-Clause
#include "particles/half_shell.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

namespace fg {
namespace {

/// Half of the (2r+1)^3 - 1 patches around: 13, 62, 171, 364 for a reach of 1 to 4.
TEST(HalfShell, HoldsOneOfEachTwoOppositeDirections) {
  for (const PatchOffset& reach :
       {PatchOffset{1, 1, 1}, {2, 2, 2}, {3, 3, 3}, {4, 4, 4}, {1, 3, 2}, {4, 1, 1}}) {
    const HalfShell shell(reach);
    std::set<PatchOffset> found;
    for (const PatchOffset& direction : shell.directions()) {
      for (int axis = 0; axis < 3; ++axis) EXPECT_LE(std::abs(direction[axis]), reach[axis]);
      EXPECT_TRUE(found.insert(direction).second);
      if (direction != PatchOffset{})
        EXPECT_FALSE(found.contains({-direction[0], -direction[1], -direction[2]}));
    }
    EXPECT_EQ(shell[0], PatchOffset{});
    EXPECT_EQ(shell.numbers(), (2 * reach[0] + 1) * (2 * reach[1] + 1) * (2 * reach[2] + 1));
    EXPECT_EQ(static_cast<int>(found.size()), (shell.numbers() + 1) / 2);
  }
  EXPECT_EQ(HalfShell({2, 2, 2}).size(), 63);
  EXPECT_EQ(HalfShell({3, 3, 3}).size(), 172);
  EXPECT_EQ(HalfShell({4, 4, 4}).size(), 365);
}

TEST(HalfShell, NumbersAllDirections) {
  const HalfShell shell({1, 3, 2});
  for (int number = 0; number < shell.numbers(); ++number)
    EXPECT_EQ(shell.number_of(shell.offset_of(number)), number);
}

/// Held against the nearest of all places in two patches.
TEST(HalfShell, LeavesOutDirectionsWithoutPairs) {
  const PatchOffset reach{2, 2, 1};
  const std::array<double, 3> widths{1, 1, 2};
  const auto nearest = [&](const PatchOffset& direction, double step) {
    // All places in both patches, their corners included.
    double least = 1e30;
    for (double x = -1; x <= 1; x += step)
      for (double y = -1; y <= 1; y += step)
        for (double z = -1; z <= 1; z += step)
          least = std::min(
              least, std::hypot((direction[0] + x) * widths[0], (direction[1] + y) * widths[1],
                                (direction[2] + z) * widths[2]));
    return least;
  };
  for (const double farthest : {0.9, 1.0, 1.2, 1.5, 2.0}) {
    const HalfShell all(reach), some(reach, widths, farthest);
    EXPECT_EQ(some.numbers(), all.numbers());
    std::vector<PatchOffset> expected;
    for (const PatchOffset& direction : all.directions())
      if (nearest(direction, 0.25) < farthest) expected.push_back(direction);
    EXPECT_TRUE(std::ranges::equal(some.directions(), expected)) << farthest;
  }
  EXPECT_EQ(HalfShell(reach, widths, 0.5).size(), HalfShell({1, 1, 1}).size());
  EXPECT_EQ(HalfShell({2, 2, 2}, {1, 1, 1}, 1.24).size(),
            41);  // 22 of 62 are too far
  EXPECT_EQ(HalfShell({2, 2, 2}, {0.5, 0.5, 0.5}, 1).size(), 63);
}

/// The bits of jobs depend on it.
TEST(HalfShell, HasTheOrderOfRows) {
  constexpr std::array<PatchOffset, 14> order = {{{0, 0, 0},
                                                  {1, 0, 0},
                                                  {-1, 1, 0},
                                                  {0, 1, 0},
                                                  {1, 1, 0},
                                                  {-1, -1, 1},
                                                  {0, -1, 1},
                                                  {1, -1, 1},
                                                  {-1, 0, 1},
                                                  {0, 0, 1},
                                                  {1, 0, 1},
                                                  {-1, 1, 1},
                                                  {0, 1, 1},
                                                  {1, 1, 1}}};
  EXPECT_TRUE(std::ranges::equal(HalfShell().directions(), order));
}

}  // namespace
}  // namespace fg
