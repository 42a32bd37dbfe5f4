// SPDX-License-Identifier: BSD-3-Clause
//
// Estimates of pairs against a count of all pairs, by patch and direction: in boxes that are full,
// tilted, or hold a droplet only. The radius is three cells, and atoms may be anywhere in a cell.
// In a cell at a surface they are on one side, so a droplet of a few radii seems a little larger,
// and seems to have a few percent fewer pairs. Small counts scatter.
#include "particles/assignment/pair_counts.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

namespace fg {
namespace {

constexpr double radius = 10;

std::vector<CountedGroup> random_groups(const Box& box, int count, double droplet) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(0, 1);
  const Vec3 centre = box.position(Vec3{0.4, 0.5, 0.6});
  std::vector<CountedGroup> groups;
  while (static_cast<int>(groups.size()) < count) {
    const Vec3 r = box.position(Vec3{uniform(random), uniform(random), uniform(random)});
    if (norm(r - centre) < droplet) groups.push_back({r, 1});
  }
  return groups;
}

/// Counts with the neighbours of PatchGrid, one pair after the other.
std::vector<std::int64_t> counted(const PatchGrid& grid, const HalfShell& shell,
                                  const std::vector<CountedGroup>& groups) {
  std::vector<std::vector<Vec3>> of_patch(static_cast<std::size_t>(grid.size()));
  for (const auto& group : groups) {
    const auto place = grid.place(group.position);
    of_patch[static_cast<std::size_t>(grid.flat(place.patch))].push_back(
        group.position - grid.box().position(place.image) - grid.centre(place.patch));
  }
  std::vector<std::int64_t> pairs;
  for (int p = 0; p < grid.size(); ++p)
    for (int d = 0; d < shell.size(); ++d) {
      const auto& offset = shell[d];
      auto& sum = pairs.emplace_back();
      if (!grid.reaches(grid.unflat(p), offset)) continue;
      const auto& mine = of_patch[static_cast<std::size_t>(p)];
      const auto& others =
          of_patch[static_cast<std::size_t>(grid.flat(grid.neighbour(grid.unflat(p), offset)))];
      for (std::size_t i = 0; i < mine.size(); ++i)
        for (std::size_t j = d == 0 ? i + 1 : 0; j < others.size(); ++j)
          sum += norm(others[j] + grid.shift(offset) - mine[i]) < radius;
    }
  return pairs;
}

struct Case {
  const char* name;
  Box box;
  std::array<int, 3> patches;
  double droplet = 1e9;
  PatchOffset reach{1, 1, 1};
};

class Estimated : public ::testing::TestWithParam<Case> {};

TEST_P(Estimated, PairsAreNearlyThoseThatThereAre) {
  const Case& test = GetParam();
  const PatchGrid grid(test.box, test.patches);
  const auto groups = random_groups(test.box, 6000, test.droplet);
  const HalfShell shell(test.reach);
  const PairCounts estimate(grid, shell, groups, radius);
  const auto exact = counted(grid, shell, groups);
  // In the corners of thin patches all pairs are about as far apart as the radius.
  const double small = test.reach == PatchOffset{1, 1, 1} ? 60 : 210;
  std::int64_t atoms = 0, sum = 0;
  for (int p = 0; p < grid.size(); ++p) {
    atoms += estimate.atoms(p);
    for (int d = 0; d < shell.size(); ++d) {
      const auto found = static_cast<double>(estimate.pairs(p, d));
      const auto there = static_cast<double>(exact[static_cast<std::size_t>(p * shell.size() + d)]);
      sum += estimate.pairs(p, d);
      EXPECT_NEAR(found, there, 0.1 * there + 4 * std::sqrt(there) + small) << p << " " << d;
    }
  }
  EXPECT_EQ(atoms, 6000);
  const auto all =
      static_cast<double>(std::accumulate(exact.begin(), exact.end(), std::int64_t{0}));
  ASSERT_GT(all, 1e5);
  EXPECT_NEAR(static_cast<double>(sum), all, (test.droplet < 100 ? 0.05 : 0.02) * all);
}

INSTANTIATE_TEST_SUITE_P(
    Boxes, Estimated,
    ::testing::Values(
        Case{"Full", {.edge = {44, 56, 40}}, {4, 5, 3}},
        Case{"OnePatch", {.edge = {31, 33, 35}}, {1, 1, 1}},
        Case{"TwoPatches", {.edge = {40, 25, 44}}, {2, 1, 2}},
        Case{"Tilted", {.edge = {50, 48, 46}, .tilt = {20, -16, 11}}, {3, 3, 3}},
        Case{"ThinPatches", {.edge = {44, 30, 40}}, {8, 3, 12}, 1e9, {2, 1, 3}},
        Case{"ThinAndFew", {.edge = {21, 22, 30}}, {3, 1, 4}, 1e9, {2, 1, 2}},
        Case{
            "ThinTilted", {.edge = {50, 48, 46}, .tilt = {20, -16, 11}}, {7, 7, 7}, 1e9, {2, 2, 2}},
        Case{"ThinOpen", {.edge = {30, 40, 20}, .periodic = false}, {5, 9, 3}, 19, {2, 3, 2}},
        Case{"Droplet", {.edge = {60, 60, 60}}, {3, 3, 3}, 21},
        Case{"OpenDroplet", {.edge = {60, 60, 60}, .periodic = false}, {4, 4, 4}, 24},
        Case{"OpenThin", {.edge = {18, 50, 16}, .periodic = false}, {2, 3, 2}}),
    [](const auto& info) { return info.param.name; });

TEST(Estimated, AtomsOfAGroupCountTogether) {
  const PatchGrid grid({.edge = {30, 30, 30}}, {1, 1, 1});
  const std::vector<CountedGroup> three{{{1, 1, 1}, 3}}, none;
  EXPECT_EQ(PairCounts(grid, HalfShell(), three, radius).atoms(0), 3);
  EXPECT_EQ(PairCounts(grid, HalfShell(), none, radius).pairs(0, 0), 0);
}

TEST(Estimated, EveryPairCountsWithoutACutoff) {
  const PatchGrid grid({.edge = {30, 30, 30}, .periodic = false}, {2, 1, 1});
  const std::vector<CountedGroup> groups{{{1, 1, 1}, 10}, {{29, 29, 29}, 20}};
  const PairCounts all(grid, HalfShell(), groups, 1e7);
  EXPECT_EQ(all.pairs(0, 0), 50);
  EXPECT_EQ(all.pairs(1, 0), 200);
  EXPECT_EQ(all.pairs(0, 1), 200);
}

/// A thin gas in a box of which cells of the usual size would fill the memory.
TEST(Estimated, AHugeBoxTakesFewCells) {
  const PatchGrid grid({.edge = {1e5, 1e5, 1e5}}, {2, 2, 2});
  const std::vector<CountedGroup> groups{{{1, 1, 1}, 3}, {{6e4, 1, 1}, 5}};
  const PairCounts gas(grid, HalfShell(), groups, radius);
  EXPECT_EQ(gas.atoms(0), 3);
  EXPECT_EQ(gas.atoms(grid.flat({1, 0, 0})), 5);
}

}  // namespace
}  // namespace fg
