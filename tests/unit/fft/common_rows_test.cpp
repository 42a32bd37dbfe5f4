// SPDX-License-Identifier: BSD-3-Clause
//
// Points that blocks of a periodic mesh have in common, and the block that covers several in a
// z-pencil, beside all points one by one.
#include "fft/pencils/common_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <vector>

namespace fg::fft::test {
namespace {

using Point = std::array<int, 3>;

constexpr std::array<int, 3> mesh{7, 6, 9};

/// Its points in the order of the block, wrapped onto the mesh.
std::vector<Point> points_of(const GridBox& box) {
  std::vector<Point> points;
  for (int x = box.low[0]; x < box.high[0]; ++x)
    for (int y = box.low[1]; y < box.high[1]; ++y)
      for (int z = box.low[2]; z < box.high[2]; ++z)
        points.push_back({wrap(x, mesh[0]), wrap(y, mesh[1]), wrap(z, mesh[2])});
  return points;
}

GridBox random_block(std::mt19937& random, int longest) {
  GridBox box;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    box.low[axis] = static_cast<int>(random() % 30) - 15;
    box.high[axis] = box.low[axis] + static_cast<int>(random() % (longest + 1));  // may be empty
  }
  return box;
}

TEST(CommonRows, VisitEachCommonPointOnce) {
  std::mt19937 random(5);
  for (int trial = 0; trial < 500; ++trial) {
    const GridBox one = random_block(random, 12);  // may have a point twice
    GridBox other = random_block(random, 6);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const int size = other.size(static_cast<int>(axis));
      other.low[axis] = wrap(other.low[axis], mesh[axis]);
      other.high[axis] = other.low[axis] + std::min(size, mesh[axis]);
    }
    const std::vector<Point> in_one = points_of(one), in_other = points_of(other);
    std::set<std::size_t> seen;
    for_each_common(one, other, mesh, [&](const CommonRows& common) {
      for (int row = 0; row < common.rows; ++row)
        for (int k = 0; k < common.length; ++k) {
          const std::size_t from = common.in_one + row * one.size(2) + k;
          ASSERT_TRUE(seen.insert(from).second);
          ASSERT_EQ(in_one.at(from), in_other.at(common.in_other + row * other.size(2) + k));
        }
    });
    const std::set<Point> there(in_other.begin(), in_other.end());
    const auto common =
        std::ranges::count_if(in_one, [&](const Point& point) { return there.contains(point); });
    EXPECT_EQ(seen.size(), static_cast<std::size_t>(common));
  }
}

/// The length of the shortest range, wrapped, that has all these numbers.
int shortest_range(const std::set<int>& numbers, int count) {
  int shortest = count;
  for (int begin = 0; begin < count; ++begin) {
    int length = 0;
    for (const int number : numbers) length = std::max(length, wrap(number - begin, count) + 1);
    shortest = std::min(shortest, length);
  }
  return shortest;
}

TEST(CoveringBlock, HasAllPointsOfThePencilAndIsTheSmallest) {
  std::mt19937 random(8);
  int empty = 0, wrapped = 0;
  for (const auto& grid : {std::array{1, 1}, std::array{3, 2}, std::array{6, 5}}) {
    const PencilGeometry geometry(mesh, grid);
    for (int trial = 0; trial < 300; ++trial) {
      std::vector<GridBox> blocks;
      const auto number = 1 + random() % 4;
      for (std::size_t i = 0; i < number; ++i) blocks.push_back(random_block(random, 4));
      const PencilIndex pencil{static_cast<int>(random() % grid[0]),
                               static_cast<int>(random() % grid[1])};
      const Range x = geometry.x_part(pencil[0]), y = geometry.y_part_of_z(pencil[1]);
      std::set<int> along[3];
      std::set<Point> own;
      for (const GridBox& block : blocks)
        for (const Point& point : points_of(block))
          if (x.contains(point[0]) && y.contains(point[1])) {
            own.insert(point);
            for (std::size_t axis = 0; axis < 3; ++axis) along[axis].insert(point[axis]);
          }
      const GridBox found = covering_block(geometry, pencil, blocks);
      const auto all = points_of(found);
      const std::set<Point> covered(all.begin(), all.end());
      EXPECT_EQ(covered.size(), all.size()) << "no point twice";
      for (const Point& point : own) EXPECT_TRUE(covered.contains(point));
      if (own.empty()) {
        EXPECT_TRUE(found.empty());
        ++empty;
        continue;
      }
      wrapped += found.high[2] > mesh[2];
      for (const int axis : {0, 1}) {
        const auto a = static_cast<std::size_t>(axis);
        EXPECT_EQ(found.range(axis), (Range{*along[a].begin(), *along[a].rbegin() + 1}));
      }
      EXPECT_GE(found.low[2], 0);
      EXPECT_LT(found.low[2], mesh[2]);
      EXPECT_EQ(found.size(2), shortest_range(along[2], mesh[2]));
    }
  }
  EXPECT_GT(empty, 0);
  EXPECT_GT(wrapped, 0);
}

}  // namespace
}  // namespace fg::fft::test
