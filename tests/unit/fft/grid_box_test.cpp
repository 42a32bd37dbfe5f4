// SPDX-License-Identifier: BSD-3-Clause
//
// Shares of a mesh, blocks that reach over its edges, and impossible pencil grids.
#include "fft/grid_box.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "base/error.hpp"
#include "fft/pencil_geometry.hpp"

namespace fg::fft::test {
namespace {

std::vector<std::array<int, 3>> runs(Range block, int count, Range owned) {
  std::vector<std::array<int, 3>> result;
  for_each_run(block, count, owned,
               [&](Run run) { result.push_back({run.from, run.to, run.size}); });
  return result;
}

TEST(Share, SevenOverThree) {
  EXPECT_EQ(share(7, 3, 0), (Range{0, 2}));
  EXPECT_EQ(share(7, 3, 1), (Range{2, 4}));
  EXPECT_EQ(share(7, 3, 2), (Range{4, 7}));
}

TEST(Share, MorePartsThanIndicesLeavesSomeEmpty) {
  EXPECT_EQ(share(1, 3, 0).size() + share(1, 3, 1).size() + share(1, 3, 2).size(), 1);
}

TEST(Runs, InsideTheMesh) {
  using Runs = std::vector<std::array<int, 3>>;
  EXPECT_EQ(runs({2, 7}, 10, {0, 5}), (Runs{{2, 2, 3}}));
  EXPECT_EQ(runs({2, 7}, 10, {7, 10}), Runs{});
}

TEST(Runs, OverTheLowerAndTheUpperEdge) {
  using Runs = std::vector<std::array<int, 3>>;
  EXPECT_EQ(runs({-3, 4}, 10, {0, 10}), (Runs{{-3, 7, 3}, {0, 0, 4}}));
  EXPECT_EQ(runs({8, 13}, 10, {0, 2}), (Runs{{10, 0, 2}}));
}

TEST(Runs, BlockWiderThanTheMeshMeetsAPointTwice) {
  using Runs = std::vector<std::array<int, 3>>;
  EXPECT_EQ(runs({-1, 12}, 10, {9, 10}), (Runs{{-1, 9, 1}, {9, 9, 1}}));
}

TEST(PencilGeometryTest, RefusesPartsWithoutPoints) {
  EXPECT_THROW(PencilGeometry({8, 8, 8}, {9, 1}), InputError);
  EXPECT_THROW(PencilGeometry({8, 8, 8}, {1, 6}), InputError);  // five wave numbers along z
  EXPECT_THROW(PencilGeometry({8, 8, 8}, {0, 1}), InputError);
  EXPECT_THROW(PencilGeometry({8, 0, 8}, {1, 1}), InputError);
  EXPECT_NO_THROW(PencilGeometry({8, 8, 8}, {8, 5}));
}

}  // namespace
}  // namespace fg::fft::test
