// SPDX-License-Identifier: BSD-3-Clause
//
// Counted pairs of patches and processes, by hand for slabs and against sets for random placement.
#include "topology/placement/patch_traffic.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace fg::topology
