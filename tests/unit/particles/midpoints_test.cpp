// SPDX-License-Identifier: BSD-3-Clause
#include "particles/midpoints.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

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
  std::vector<QuadPlace> places;
  place_quads(grid, std::span<const std::int32_t>(ids),
              cluster({{1, -2, 0}, {3, 0, 0}, {2, 4, 2.5}}).data(), places);
  ASSERT_EQ(places.size(), 2u);
  EXPECT_EQ(places[0].reference,
            (PatchPoint{patch_length / 5, patch_length / 10, patch_length / 8}));
  EXPECT_EQ(places[1].reference, PatchPoint{});  // nobody is there
  const std::array spread{0.1, 0.3, 0.125};      // of a patch
  for (std::size_t axis = 0; axis < 3; ++axis) {
    EXPECT_GE(places[0].spread[axis], spread[axis] * patch_length);
    EXPECT_LT(places[0].spread[axis], spread[axis] * patch_length + 3);
    EXPECT_EQ(places[1].spread[axis], 0);
  }
}

TEST(Midpoints, TheReferenceStaysInThePatchAlsoInATiltedCell) {
  const Box box{.edge = {30, 30, 30}, .tilt = {15, -15, 15}};
  const PatchGrid grid(box, {3, 3, 3});
  const std::vector<std::int32_t> ids{1, -1, -1, -1, 2, -1, -1, -1};
  std::vector<QuadPlace> places;
  auto numbers = cluster({});
  const Vec3 inside = box.position(Vec3{0.25 / 3, -0.5 / 3, 0.125 / 3}), beyond{40, -40, 12};
  for (int axis = 0; axis < 3; ++axis) {
    numbers[static_cast<std::size_t>(axis * cluster_size)] = inside[axis];
    numbers[static_cast<std::size_t>(axis * cluster_size) + 4] = beyond[axis];
  }
  place_quads(grid, std::span<const std::int32_t>(ids), numbers.data(), places);
  const std::array expected{0.25, -0.5, 0.125};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    EXPECT_NEAR(places[0].reference[axis], expected[axis] * patch_length, 1);
    EXPECT_GE(places[1].reference[axis], -patch_length / 2);
    EXPECT_LT(places[1].reference[axis], patch_length / 2);
    EXPECT_LT(places[0].spread[axis], 3);
    // The atom is beyond the patch.
    const double away = std::abs(box.fractional(beyond)[static_cast<int>(axis)] * 3 * patch_length -
                                 places[1].reference[axis]);
    EXPECT_GE(places[1].spread[axis], away);
    EXPECT_LT(places[1].spread[axis], away + 3);
  }
}

}  // namespace
}  // namespace fg
