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

/// Two quads anywhere in patches up to `reach` apart: exactly one of all patches has their
/// midpoint, and both patches are among those of its run. Half of the places are on faces.
TEST(Midpoints, ExactlyOnePatchHasAPair) {
  std::mt19937 random(3);
  std::uniform_int_distribution<std::int32_t> anywhere(-patch_length / 2, patch_length / 2 - 1);
  for (const int reach : {1, 2, 3, 4}) {
    const PairRuns runs = PairRuns::of_midpoints({reach, reach, reach});
    const auto run = runs.run(0);
    std::uniform_int_distribution<int> apart(-reach, reach), coin(0, 3);
    for (int trial = 0; trial < 2000; ++trial) {
      std::array<int, 3> other{};
      PatchPoint a{}, b{};
      for (std::size_t axis = 0; axis < 3; ++axis) {
        other[axis] = apart(random);
        for (PatchPoint* const point : {&a, &b}) {
          const int where = coin(random);
          (*point)[axis] = where == 0   ? -patch_length / 2
                           : where == 1 ? patch_length / 2 - 1
                                        : anywhere(random);
        }
      }
      int found = 0;
      for (int x = -reach; x <= reach; ++x)
        for (int y = -reach; y <= reach; ++y)
          for (int z = -reach; z <= reach; ++z) {
            // The listing patch is (x, y, z), seen from that of a.
            const std::array<int, 3> to_a{-x, -y, -z};
            const std::array<int, 3> to_b{other[0] - x, other[1] - y, other[2] - z};
            const MidpointSide side_a{to_a, {&a, 1}}, side_b{to_b, {&b, 1}};
            if (!meet_here(from_middle(side_a, 0), from_middle(side_b, 0))) continue;
            ++found;
            EXPECT_TRUE(can_meet_here(to_a, to_b));
            EXPECT_TRUE(std::ranges::find(run, to_a) != run.end());
            EXPECT_TRUE(std::ranges::find(run, to_b) != run.end());
          }
      EXPECT_EQ(found, 1);
    }
  }
}

}  // namespace
}  // namespace fg
