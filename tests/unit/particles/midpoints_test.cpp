// SPDX-License-Identifier: BSD-3-Clause
#include "particles/midpoints.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <random>
#include <vector>

#include "particles/pair_runs.hpp"

namespace fg {
namespace {

constexpr double far = 1e5;  // where messages have lanes without an atom

/// Positions of one cluster, x first; the last lanes are empty.
std::vector<double> cluster(const std::vector<Vec3>& atoms) {
  std::vector<double> numbers(cluster_numbers, far);
  for (std::size_t i = 0; i < atoms.size(); ++i)
    for (int axis = 0; axis < 3; ++axis)
      numbers[static_cast<std::size_t>(axis * cluster_size) + i] = atoms[i][axis];
  return numbers;
}

TEST(Midpoints, TheReferenceIsTheMiddleOfAQuad) {
  const PatchGrid grid(Box{.edge = {20, 40, 60}}, {2, 4, 6});  // patches of 10 x 10 x 10
  const std::vector<std::int32_t> ids{5, 6, 7, -1, -1, -1, -1, -1};
  std::vector<PatchPoint> references;
  quad_references(grid, std::span<const std::int32_t>(ids),
                  cluster({{1, -2, 0}, {3, 0, 0}, {2, 4, 2.5}}).data(), references);
  ASSERT_EQ(references.size(), 2u);
  EXPECT_EQ(references[0], (PatchPoint{patch_length / 5, patch_length / 10, patch_length / 8}));
  EXPECT_EQ(references[1], PatchPoint{});  // nobody is there
}

TEST(Midpoints, TheReferenceStaysInThePatchAlsoInATiltedCell) {
  const Box box{.edge = {30, 30, 30}, .tilt = {15, -15, 15}};
  const PatchGrid grid(box, {3, 3, 3});
  const std::vector<std::int32_t> ids{1, -1, -1, -1, 2, -1, -1, -1};
  std::vector<PatchPoint> references;
  auto numbers = cluster({});
  const Vec3 inside = box.position(Vec3{0.25 / 3, -0.5 / 3, 0.125 / 3}), beyond{40, -40, 12};
  for (int axis = 0; axis < 3; ++axis) {
    numbers[static_cast<std::size_t>(axis * cluster_size)] = inside[axis];
    numbers[static_cast<std::size_t>(axis * cluster_size) + 4] = beyond[axis];
  }
  quad_references(grid, std::span<const std::int32_t>(ids), numbers.data(), references);
  const std::array expected{0.25, -0.5, 0.125};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    EXPECT_NEAR(references[0][axis], expected[axis] * patch_length, 1);
    EXPECT_GE(references[1][axis], -patch_length / 2);
    EXPECT_LT(references[1][axis], patch_length / 2);
  }
}

/// Places in patches, half of them on faces.
class Places {
 public:
  PatchPoint in_a_patch() {
    PatchPoint point{};
    for (std::int32_t& at : point) {
      const int where = coin_(random_);
      at = where == 0 ? -patch_length / 2 : where == 1 ? patch_length / 2 - 1 : anywhere_(random_);
    }
    return point;
  }
  int between(int first, int last) {
    return std::uniform_int_distribution<int>(first, last)(random_);
  }

 private:
  std::mt19937 random_{3};
  std::uniform_int_distribution<std::int32_t> anywhere_{-patch_length / 2, patch_length / 2 - 1};
  std::uniform_int_distribution<int> coin_{0, 3};
};

/// The patches whose cell holds the midpoint of a quad in patch `a` and one in patch `b`; all that
/// they need to know is in their runs. In a periodic box `b` may be beyond an edge.
std::vector<PatchIndex> holders(const PatchGrid& grid, const PatchOffset& reach,
                                const PatchIndex& a, const PatchPoint& in_a, const PatchIndex& b,
                                const PatchPoint& in_b) {
  const PairRuns runs = PairRuns::of_midpoints(reach);
  const auto run = runs.run(0);
  std::vector<PatchIndex> found;
  for (int x = -reach[0] - 1; x <= reach[0] + 1; ++x)
    for (int y = -reach[1] - 1; y <= reach[1] + 1; ++y)
      for (int z = -reach[2] - 1; z <= reach[2] + 1; ++z) {
        if (!grid.reaches(a, {x, y, z})) continue;
        const PatchIndex patch{a[0] + x, a[1] + y, a[2] + z};
        const MidpointCell cell(grid, patch, reach);
        std::array<int, 3> to_a{}, to_b{};
        for (std::size_t axis = 0; axis < 3; ++axis) {
          to_a[axis] = a[axis] - patch[axis];
          to_b[axis] = b[axis] - patch[axis];
        }
        const MidpointSide side_a{to_a, {&in_a, 1}}, side_b{to_b, {&in_b, 1}};
        if (!cell.holds(from_middle(side_a, 0), from_middle(side_b, 0))) continue;
        found.push_back(patch);
        EXPECT_TRUE(cell.can_hold(to_a, to_b));
        EXPECT_TRUE(std::ranges::find(run, to_a) != run.end());
        EXPECT_TRUE(std::ranges::find(run, to_b) != run.end());
      }
  return found;
}

constexpr std::array<PatchOffset, 6> reaches{
    {{1, 1, 1}, {2, 2, 2}, {3, 3, 3}, {4, 4, 4}, {1, 2, 3}, {4, 3, 1}}};

TEST(Midpoints, ExactlyOneCellHasAPair) {
  const PatchGrid grid(Box{.edge = {50, 50, 50}}, {5, 5, 5});
  Places places;
  for (const PatchOffset& reach : reaches)
    for (int trial = 0; trial < 1000; ++trial) {
      PatchIndex b{};
      for (std::size_t axis = 0; axis < 3; ++axis)
        b[axis] = places.between(-reach[axis], reach[axis]);
      EXPECT_EQ(holders(grid, reach, {}, places.in_a_patch(), b, places.in_a_patch()).size(), 1u);
    }
}

/// No patch is below the first one of an open box. So the cell of that one has what is below its
/// middle, too.
TEST(Midpoints, ExactlyOneCellOfAnOpenBoxHasAPair) {
  const PatchGrid grid(Box{.edge = {50, 10, 60}, .periodic = false}, {5, 1, 6});
  Places places;
  for (const PatchOffset& reach : reaches)
    for (int trial = 0; trial < 1000; ++trial) {
      PatchIndex a{}, b{};
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const int last = grid.shape()[axis] - 1;
        a[axis] = places.between(0, last);
        b[axis] = places.between(std::max(0, a[axis] - reach[axis]),
                                 std::min(last, a[axis] + reach[axis]));
      }
      EXPECT_EQ(holders(grid, reach, a, places.in_a_patch(), b, places.in_a_patch()).size(), 1u);
    }
}

}  // namespace
}  // namespace fg
