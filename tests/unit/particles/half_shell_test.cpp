// SPDX-License-Identifier: BSD-3-Clause
#include "particles/half_shell.hpp"

#include <gtest/gtest.h>

#include <set>

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
