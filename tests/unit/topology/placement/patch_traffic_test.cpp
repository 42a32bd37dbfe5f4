// SPDX-License-Identifier: BSD-3-Clause
//
// Counted pairs of patches and processes, by hand for slabs and against sets for random placement.
#include "topology/placement/patch_traffic.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "particles/patch_grid.hpp"

namespace fg::topology {
namespace {

const auto partners = std::span(half_shell).subspan(1);

std::vector<int> halves(int side, int axis) {
  std::vector<int> process;
  for (int x = 0; x < side; ++x)
    for (int y = 0; y < side; ++y)
      for (int z = 0; z < side; ++z)
        process.push_back(std::array{x, y, z}[axis] < side / 2 ? 0 : 1);
  return process;
}

TEST(PatchTraffic, OfTwoSlabs) {
  // Two faces between the slabs, of 36 patches each. The half shell looks to both sides along x, so
  // that patches on both sides of a face are needed on the other. Along z it only looks up.
  EXPECT_EQ(patch_process_pairs({{6, 6, 6}}, partners, halves(6, 0)), 2 * 2 * 36);
  EXPECT_EQ(patch_process_pairs({{6, 6, 6}}, partners, halves(6, 2)), 2 * 36);
  // Only one face is left in an open box.
  EXPECT_EQ(patch_process_pairs({{6, 6, 6}, false}, partners, halves(6, 2)), 36);
}

TEST(PatchTraffic, OfOneProcessIsNone) {
  const std::vector<int> one(27, 5);
  EXPECT_EQ(patch_process_pairs({{3, 3, 3}}, partners, one), 0);
}

TEST(PatchTraffic, IsTheNumberOfDistinctPairs) {
  std::mt19937 random(2);
  for (const std::array<int, 3> sides : {std::array{1, 1, 1}, {1, 2, 5}, {4, 3, 2}, {5, 5, 4}})
    for (const bool periodic : {true, false}) {
      const PatchShape shape{sides, periodic};
      const PatchGrid grid(Box{.edge = {1, 1, 1}, .periodic = periodic}, sides);
      std::vector<int> process;
      for (int p = 0; p < shape.patches(); ++p) process.push_back(static_cast<int>(random() % 7));
      std::set<std::pair<int, int>> pairs;
      for (int p = 0; p < shape.patches(); ++p)
        for (const auto& offset : partners) {
          if (!grid.reaches(grid.unflat(p), offset)) continue;
          const int needed = grid.flat(grid.neighbour(grid.unflat(p), offset));
          if (process[needed] != process[p]) pairs.insert({needed, process[p]});
        }
      EXPECT_EQ(patch_process_pairs(shape, partners, process),
                static_cast<std::int64_t>(pairs.size()));
    }
}

TEST(PatchTraffic, HopsAreThoseBetweenHosts) {
  // The two slabs again, on hosts that are 2 + 3 hops apart.
  Coordinates mesh(2, 2);
  std::ranges::copy(std::array{1, 1}, mesh.of(0).begin());
  std::ranges::copy(std::array{3, 4}, mesh.of(1).begin());
  const std::vector<int> process = halves(6, 2);
  EXPECT_EQ(hops_of_pairs({{6, 6, 6}}, partners, process, process, mesh), 5 * 72);
  // Two processes of one host are no hops apart.
  EXPECT_EQ(hops_of_pairs({{6, 6, 6}}, partners, process, std::vector<int>(216), mesh), 0);
}

TEST(PencilTraffic, IsLeastForColumns) {
  // 4 x 4 x 4 patches and 4 x 4 pencils: a patch overlaps one pencil and touches the others next to
  // it. So a column of patches has nine pencils. Slabs across the pencils have all sixteen.
  std::vector<int> quarters, slabs;
  for (int p = 0; p < 64; ++p) {
    quarters.push_back(p / 4);
    slabs.push_back(p % 4);
  }
  EXPECT_EQ(process_pencil_pairs({{4, 4, 4}}, {4, 4}, quarters), 16 * 9);
  EXPECT_EQ(process_pencil_pairs({{4, 4, 4}}, {4, 4}, slabs), 4 * 16);
  EXPECT_EQ(process_pencil_pairs({{4, 4, 4}, false}, {4, 4}, quarters), 4 * 4 + 8 * 6 + 4 * 9);
}

TEST(PencilTraffic, IsTheNumberOfDistinctPairs) {
  std::mt19937 random(4);
  for (const std::array<int, 3> sides : {std::array{1, 1, 1}, {5, 3, 4}, {2, 7, 3}})
    for (const std::array<int, 2> pencils : {std::array{1, 1}, {3, 5}, {8, 2}, {6, 6}}) {
      std::vector<int> process;
      for (int p = 0; p < sides[0] * sides[1] * sides[2]; ++p)
        process.push_back(static_cast<int>(random() % 5));
      // A patch touches a pencil if neither ends before the other begins, also one box further.
      const auto touch = [](int patch, int side, int pencil, int count) {
        for (const int box : {-1, 0, 1})
          if (patch * count <= (pencil + 1 + box * count) * side &&
              (pencil + box * count) * side <= (patch + 1) * count)
            return true;
        return false;
      };
      std::set<std::array<int, 3>> pairs;
      std::size_t at = 0;
      for (int x = 0; x < sides[0]; ++x)
        for (int y = 0; y < sides[1]; ++y)
          for (int z = 0; z < sides[2]; ++z, ++at)
            for (int i = 0; i < pencils[0]; ++i)
              for (int j = 0; j < pencils[1]; ++j)
                if (touch(x, sides[0], i, pencils[0]) && touch(y, sides[1], j, pencils[1]))
                  pairs.insert({process[at], i, j});
      EXPECT_EQ(process_pencil_pairs({sides}, pencils, process),
                static_cast<std::int64_t>(pairs.size()));
    }
}

}  // namespace
}  // namespace fg::topology
