// SPDX-License-Identifier: BSD-3-Clause
#include "particles/assignment/midpoint_counts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "particles/assignment/cut_space.hpp"
#include "particles/assignment/midpoint_cells.hpp"
#include "particles/assignment/space_sums.hpp"

namespace fg {
namespace {

constexpr double radius = 9;

/// Groups of three atoms; with `dense`, four of five of them are in the lower half along z.
std::vector<CountedGroup> groups_in(const Box& box, int number, bool dense) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<CountedGroup> groups;
  for (int i = 0; i < number; ++i) {
    Vec3 s{uniform(random), uniform(random), uniform(random)};
    if (dense) s.z = i % 5 != 0 ? s.z / 2 : (1 + s.z) / 2;
    groups.push_back({.position = box.position(s), .atoms = 3});
  }
  return groups;
}

struct Case {
  Box box;
  std::array<int, 3> shape;
  PatchOffset reach;
  bool dense;
};

std::vector<Case> cases() {
  return {{{.edge = {40, 40, 40}}, {4, 4, 4}, {1, 1, 1}, false},
          {{.edge = {40, 50, 60}}, {8, 5, 12}, {2, 1, 2}, true},
          {{.edge = {36, 36, 36}, .tilt = {12, -12, 12}}, {3, 3, 6}, {1, 1, 2}, true},
          {{.edge = {40, 40, 40}, .periodic = false}, {4, 4, 4}, {1, 1, 1}, true},
          {{.edge = {20, 20, 40}}, {1, 2, 3}, {1, 1, 1}, false}};
}

SpaceSums midpoints_of(const PatchGrid& grid, const PatchOffset& reach,
                       const std::vector<CountedGroup>& groups) {
  SpaceBins bins(grid);
  add_midpoints(grid, reach, groups, radius, 1, bins);
  return SpaceSums(bins);
}

/// By another way: all pairs of groups, with their middle.
double pairs_with_middle_in(const Case& c, const std::vector<CountedGroup>& groups,
                            const CellSpace& space) {
  double found = 0;
  for (std::size_t a = 0; a < groups.size(); ++a)
    for (std::size_t b = a; b < groups.size(); ++b) {
      Vec3 apart = groups[b].position - groups[a].position;
      if (c.box.periodic) apart = c.box.nearest_image(apart);
      if (norm(apart) >= radius) continue;
      const Vec3 from = c.box.fractional(groups[a].position), way = c.box.fractional(apart);
      bool inside = true;
      for (int axis = 0; axis < 3; ++axis) {
        const auto n = static_cast<std::size_t>(axis);
        const int patches = c.shape[n];
        const double one = from[axis] * patches, other = one + way[axis] * patches;
        double middle = (one + other) / 2;
        if (std::abs(std::floor(one) - std::floor(other)) >= c.reach[n])
          middle = middle / 8 + 7.0 / 8 * (std::floor(one) + std::floor(other) + 1) / 2;
        if (c.box.periodic) middle -= patches * std::floor(middle / patches);
        const double at = middle * patch_length;
        inside = inside && at >= static_cast<double>(space[n].low) &&
                 at < static_cast<double>(space[n].high);
      }
      const double of_a = groups[a].atoms;
      if (inside) found += a == b ? of_a * (of_a - 1) / 2 : of_a * groups[b].atoms;
    }
  return found;
}

/// The groups of a case, and the midpoints of their pairs.
struct Counted {
  explicit Counted(const Case& c)
      : grid(c.box, c.shape),
        groups(groups_in(c.box, 2000, c.dense)),
        counts(midpoints_of(grid, c.reach, groups)),
        all(counts.in(counts.whole())) {}

  PatchGrid grid;
  std::vector<CountedGroup> groups;
  SpaceSums counts;
  double all;
};

TEST(MidpointCounts, AddUpToAllPairs) {
  for (const Case& c : cases()) {
    const auto& [grid, groups, counts, all] = Counted(c);
    // Parts add up, also those that go beyond an upper face.
    CellSpace lower = counts.whole(), upper = lower;
    lower[2].high = upper[2].low = patch_length / 3;
    if (c.box.periodic) {
      upper[2].high += patch_length / 3;
      lower[2].low = lower[2].high;
    }
    EXPECT_NEAR(counts.in(lower) + counts.in(upper), all, 1e-9 * all);
  }
}

TEST(MidpointCounts, AgreeWithASearchOfAllPairs) {
  for (const Case& c : cases()) {
    const auto& [grid, groups, counts, all] = Counted(c);
    EXPECT_DOUBLE_EQ(all, pairs_with_middle_in(c, groups, counts.whole()));
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (const double at : {0.2, 0.5, 0.77}) {
        CellSpace part = counts.whole();
        part[axis].high = static_cast<std::int64_t>(at * static_cast<double>(part[axis].high));
        EXPECT_NEAR(counts.in(part) / all, pairs_with_middle_in(c, groups, part) / all, 2e-3)
            << c.shape[2] << " " << axis << " " << at;
      }
  }
}

TEST(MidpointCounts, AreCutIntoEqualParts) {
  for (const Case& c : cases()) {
    const auto& [grid, groups, counts, all] = Counted(c);
    for (const std::array<int, 3>& shape :
         {std::array{1, 1, 1}, std::array{2, 2, 2}, std::array{3, 1, 5}, std::array{4, 5, 3}}) {
      const CellCut cut = cut_space(counts, shape);
      ASSERT_EQ(cut.planes.size(), CellCut::planes_of(shape));
      const MidpointCells cells(grid, c.reach, cut);
      double most = 0;
      for (int i = 0; i < cells.computes(); ++i)
        most = std::max(most, counts.in(cells.space(cells.element(i))));
      EXPECT_LT(most * cells.computes() / all, 1.001);
      // The search finds about as many; within a bin they are not spread evenly.
      const CellSpace first = cells.space({0, 0, 0, 0});
      EXPECT_NEAR(pairs_with_middle_in(c, groups, first) * cells.computes() / all, 1, 0.1);
    }
  }
}

/// A few atoms are in a corner, so that many slabs are empty. Cells there are of one size.
TEST(MidpointCounts, AreCutWhereNobodyIs) {
  const Box box{.edge = {40, 40, 40}, .periodic = false};
  const PatchGrid grid(box, {4, 4, 4});
  const std::vector<CountedGroup> groups{{.position = {1, 1, 1}, .atoms = 3},
                                         {.position = {2, 1, 1}, .atoms = 3}};
  const SpaceSums counts = midpoints_of(grid, {1, 1, 1}, groups);
  const std::array<int, 3> shape{40, 4, 4};
  const CellCut cut = cut_space(counts, shape);
  const MidpointCells cells(grid, {1, 1, 1}, cut);
  int empty = 0;
  for (int x = 0; x < shape[0]; ++x) {
    CellSpace slab = counts.whole();
    slab[0] = cells.space({x, 0, 0, 0})[0];
    const bool nobody = counts.in(slab) <= 0;
    empty += nobody ? 1 : 0;
    for (int y = 0; y < shape[1]; ++y)
      for (int z = 0; z < shape[2]; ++z)
        for (int axis = 0; axis < 3; ++axis) {
          const auto [low, high] = cut.along(axis, x, y, z);
          EXPECT_GE(high - low, CellCut::thinnest(4));
          if (nobody && axis > 0)
            EXPECT_NEAR(static_cast<double>(high - low), CellCut::edge / 4.0, 2);
        }
  }
  EXPECT_GT(empty, 10);
}

/// All work is at one end of a very long box. Cells of the rest are no thicker than a run allows.
TEST(MidpointCounts, AreCutWhereABoxIsLongAndEmpty) {
  const int patches = 600, count = 5;
  const Box box{.edge = {6000, 40, 40}, .periodic = false};
  const PatchGrid grid(box, {patches, 1, 1});
  for (const double x : {1.0, 3000.0, 5998.0}) {
    const std::vector<CountedGroup> groups{{.position = {x, 1, 1}, .atoms = 3},
                                           {.position = {x + 1, 1, 1}, .atoms = 3}};
    const CellCut cut = cut_space(midpoints_of(grid, {1, 1, 1}, groups), {count, 1, 1});
    EXPECT_EQ(cut.along(0, 0, 0, 0).low, 0);
    EXPECT_EQ(cut.along(0, count - 1, 0, 0).high, CellCut::edge);
    for (int i = 0; i < count; ++i) {
      const auto [low, high] = cut.along(0, i, 0, 0);
      EXPECT_GE(high - low, CellCut::thinnest(patches)) << x << " " << i;
      EXPECT_LE((high - low) * patches, std::int64_t{CellCut::thickest} * CellCut::edge)
          << x << " " << i;
    }
  }
}

}  // namespace
}  // namespace fg
