// SPDX-License-Identifier: BSD-3-Clause
//
// The snake order against its definition: a walk of single hops through a full box, and the turns
// at the ends of lines with holes.
#include "topology/placement/snake_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "unit/topology/placement/points.hpp"

namespace fg::topology {
namespace {

TEST(SnakeOrder, TurnsBackAtTheEndOfEachLine) {
  const Coordinates points = box_points({3, 3});
  std::vector<int> rows = all_rows(points);
  sort_in_snake_order(points, std::array{0, 1}, rows);
  EXPECT_EQ(rows, (std::vector{0, 1, 2, 5, 4, 3, 6, 7, 8}));
  sort_in_snake_order(points, std::array{1, 0}, rows);
  EXPECT_EQ(rows, (std::vector{0, 3, 6, 7, 4, 1, 2, 5, 8}));
}

TEST(SnakeOrder, TurnsBackAtEachLineThatHasPoints) {
  // Lines at 0, 4 and 5 of a mesh; those between them are holes and do not turn the walk.
  Coordinates points(6, 2);
  const int at[][2] = {{0, 1}, {0, 3}, {4, 0}, {4, 2}, {5, 1}, {5, 7}};
  for (int i = 0; i < 6; ++i) std::ranges::copy(at[i], points.of(i).begin());
  std::vector<int> rows = all_rows(points);
  sort_in_snake_order(points, std::array{0, 1}, rows);
  EXPECT_EQ(rows, (std::vector{0, 1, 3, 2, 4, 5}));
}

TEST(SnakeOrder, GoesToANeighbourAtEachStepThroughAFullBox) {
  for (const std::vector<int>& sides :
       {std::vector{7}, {4, 5}, {3, 1, 4}, {2, 3, 2, 5}, {4, 2, 3, 2, 2}, {3, 2, 2, 2, 2, 3}}) {
    const Coordinates points = box_points(sides);
    std::vector<int> dimensions(sides.size());
    std::iota(dimensions.begin(), dimensions.end(), 0);
    do {
      std::vector<int> rows = all_rows(points);
      sort_in_snake_order(points, dimensions, rows);
      for (std::size_t i = 1; i < rows.size(); ++i)
        ASSERT_EQ(hops(points, rows[i - 1], rows[i]), 1) << sides.size();
      std::ranges::sort(rows);
      EXPECT_EQ(rows, all_rows(points));
    } while (sides.size() < 5 && std::ranges::next_permutation(dimensions).found);
  }
}

TEST(SnakeOrder, KeepsTheOrderOfRowsAtOnePoint) {
  Coordinates points(4, 1);
  points.of(0)[0] = 1;
  points.of(3)[0] = 1;
  std::vector<int> rows{3, 2, 0, 1};
  sort_in_snake_order(points, std::array{0}, rows);
  EXPECT_EQ(rows, (std::vector{2, 1, 3, 0}));
  sort_in_snake_order(points, std::span<const int>(), rows);
  EXPECT_EQ(rows, (std::vector{2, 1, 3, 0}));
}

TEST(Spans, CountBothEnds) {
  const Coordinates points = box_points({4, 1, 6});
  EXPECT_EQ(spans_of(points, all_rows(points)), (std::vector{4, 1, 6}));
  EXPECT_EQ(spans_of(points, std::array{0, 3}), (std::vector{1, 1, 4}));
  EXPECT_EQ(spans_of(points, {}), (std::vector{0, 0, 0}));
  EXPECT_EQ(longest_first(std::array{4, 6, 1, 6}), (std::vector{1, 3, 0, 2}));
}

}  // namespace
}  // namespace fg::topology
