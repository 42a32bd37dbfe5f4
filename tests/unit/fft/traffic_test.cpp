// SPDX-License-Identifier: BSD-3-Clause
//
// What a plan sends, worked out by hand.
#include "fft/traffic.hpp"

#include <gtest/gtest.h>

namespace fg::fft {
namespace {

TEST(Traffic, OfSlabsIsOneExchangeOfAllButTheOwnPart) {
  const Grid grid{8, 8, 8};
  const TransformPlan plan({grid, Kind::complex, slabs(grid, 0, 4), slabs(grid, 1, 4), {}});
  const auto traffic = traffic_of(plan);
  ASSERT_EQ(traffic.size(), 1u);
  EXPECT_EQ(traffic[0].messages, 3);
  EXPECT_EQ(traffic[0].points, 512u / 4 * 3 / 4);
  EXPECT_FALSE(traffic[0].real);
  EXPECT_EQ(largest_share(plan), 0.25);
}

TEST(Traffic, OfPencilsStaysInRowsAndColumns) {
  const Grid grid{8, 8, 8};
  const TransformPlan plan(
      {grid, Kind::complex, pencils(grid, 2, {2, 4}), pencils(grid, 0, {2, 4}), {{2, 4}}});
  const auto traffic = traffic_of(plan);
  ASSERT_EQ(traffic.size(), 2u);
  EXPECT_EQ(traffic[0].messages, 3);  // from y divided by 4 to z divided by 4
  EXPECT_EQ(traffic[0].points, 512u / 8 * 3 / 4);
  EXPECT_EQ(traffic[1].messages, 1);  // from x divided by 2 to y divided by 2
  EXPECT_EQ(traffic[1].points, 512u / 8 / 2);
}

TEST(Traffic, OfRealPointsInBricksIsThatOfRealNumbersFirst) {
  const Grid grid{6, 6, 6}, waves = waves_of(grid, Kind::real);
  const TransformPlan plan({grid, Kind::real, slabs(grid, 2, 2), slabs(waves, 1, 2), {}});
  const auto traffic = traffic_of(plan);
  ASSERT_EQ(traffic.size(), 2u);
  EXPECT_TRUE(traffic[0].real);
  EXPECT_FALSE(traffic[1].real);
}

TEST(Traffic, OfUnevenPartsIsThatOfTheLargest) {
  const Grid grid{5, 4, 1};
  const TransformPlan plan({grid, Kind::complex, slabs(grid, 0, 3), slabs(grid, 0, 3), {}});
  // Two of five planes along y and z, but two of four rows along x.
  EXPECT_EQ(largest_share(plan), 0.5);
}

TEST(Traffic, OfOneRankIsNone) {
  const Grid grid{4, 5, 6};
  EXPECT_TRUE(
      traffic_of(TransformPlan({grid, Kind::complex, {whole(grid)}, {whole(grid)}, {}})).empty());
}

}  // namespace
}  // namespace fg::fft
