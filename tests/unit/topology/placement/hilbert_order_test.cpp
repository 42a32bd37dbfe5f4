// SPDX-License-Identifier: BSD-3-Clause
//
// Hilbert's curve by its properties: single hops through a cube whose side is a power of two, each
// eighth of it filled before the next one begins, and a part of a larger cube for any other box.
#include "topology/placement/hilbert_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.hpp"
#include "topology/placement/snake_order.hpp"
#include "unit/topology/placement/points.hpp"

namespace fg::topology {
namespace {

TEST(HilbertOrder, GoesToANeighbourAtEachStepThroughACube) {
  for (const std::vector<int>& sides : {std::vector{8},
                                        {2, 2},
                                        {16, 16},
                                        {2, 2, 2},
                                        {4, 4, 4},
                                        {16, 16, 16},
                                        {4, 4, 4, 4},
                                        {2, 2, 2, 2, 2}}) {
    const Coordinates points = box_points(sides);
    std::vector<int> rows = all_rows(points);
    sort_in_hilbert_order(points, rows);
    for (std::size_t i = 1; i < rows.size(); ++i)
      ASSERT_EQ(hops(points, rows[i - 1], rows[i]), 1) << sides.size() << " " << i;
    std::ranges::sort(rows);
    EXPECT_EQ(rows, all_rows(points));
  }
}

TEST(HilbertOrder, FillsSmallCubesOneAfterTheOther) {
  const Coordinates points = box_points({8, 8, 8});
  std::vector<int> rows = all_rows(points);
  sort_in_hilbert_order(points, rows);
  for (const int side : {2, 4}) {
    const auto size = static_cast<std::size_t>(side * side * side);
    for (std::size_t i = 0; i < rows.size(); i += size)
      EXPECT_EQ(spans_of(points, std::span(rows).subspan(i, size)),
                (std::vector{side, side, side}));
  }
}

TEST(HilbertOrder, LeavesOutWhatIsNotInTheBox) {
  const Coordinates cube = box_points({16, 16, 16});
  std::vector<int> whole = all_rows(cube);
  sort_in_hilbert_order(cube, whole);
  for (const std::vector<int>& sides : {std::vector{9, 3, 5}, {16, 1, 2}, {11, 13, 9}}) {
    const Coordinates points = box_points(sides);
    std::vector<int> rows = all_rows(points), expected;
    sort_in_hilbert_order(points, rows);
    for (const int row : whole) {
      const auto at = cube.of(row);
      if (at[0] < sides[0] && at[1] < sides[1] && at[2] < sides[2])
        expected.push_back((at[0] * sides[1] + at[1]) * sides[2] + at[2]);
    }
    EXPECT_EQ(rows, expected);
  }
}

TEST(HilbertOrder, DoesNotDependOnTheOrigin) {
  Coordinates points = box_points({5, 6, 3});
  std::vector<int> rows = all_rows(points), moved = rows;
  sort_in_hilbert_order(points, rows);
  for (int i = 0; i < points.nodes(); ++i) points.of(i)[1] += 100;
  sort_in_hilbert_order(points, moved);
  EXPECT_EQ(rows, moved);
}

TEST(HilbertOrder, RefusesPointsTooFarApart) {
  Coordinates points(2, 3);
  points.of(1)[0] = 1 << 22;
  std::vector<int> rows{0, 1};
  EXPECT_THROW(sort_in_hilbert_order(points, rows), InputError);
}

}  // namespace
}  // namespace fg::topology
