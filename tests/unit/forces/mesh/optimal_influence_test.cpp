// SPDX-License-Identifier: BSD-3-Clause
//
// The influence function with the least error of forces against plain sums over images.
#include "forces/mesh/optimal_influence.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "forces/mesh/bspline.hpp"
#include "support/cells.hpp"
#include "support/references/forces/influence_reference.hpp"

namespace fg {
namespace {

TEST(BsplineImageSums, AreThoseOverImages) {
  for (const int order : {4, 5, 6, 8})
    for (const int points : {8, 15, 16}) {
      const auto sums = bspline_image_sums(order, points);
      ASSERT_EQ(static_cast<int>(sums.size()), points);
      for (int k = 0; k < points; ++k) {
        const int m = 2 * k <= points ? k : k - points;
        long double square = 0, first = 0, second = 0;
        // The sum of s^-6 beyond is below 1e-15 of the whole.
        for (int j = -1000; j <= 1000; ++j) {
          const long double s = m + static_cast<long double>(j) * points;
          const long double phase = std::numbers::pi_v<long double> * s / points;
          const long double w =
              s == 0 ? 1 : std::pow(std::sin(phase) / phase, static_cast<long double>(order));
          square += w * w, first += s * w * w, second += s * s * w * w;
        }
        // Sums of 2 order numbers below 1 with both signs; the least of them is 1e-3.
        EXPECT_NEAR(sums[k].square, static_cast<double>(square), 1e-15 * order);
        EXPECT_NEAR(sums[k].first, static_cast<double>(first), 1e-15 * order * points);
        EXPECT_NEAR(sums[k].second, static_cast<double>(second), 1e-15 * order * points * points);
      }
    }
}

MeshSettings settings_of(const Box& box, int order, double alpha) {
  return {.box = box,
          .mesh = {12, 10, 9},
          .order = order,
          .alpha = alpha,
          .influence = InfluenceFunction::optimal};
}

const std::array<Box, 3> cells{Box{{22, 24, 20}}, test::truncated_octahedron(26),
                               test::skew_cell(23)};

TEST(OptimalInfluence, IsThatOfPlainSums) {
  for (const Box& box : cells)
    for (const int order : {4, 5, 6, 8})
      // Spacings of about a half and of twice the width of the screening charges.
      for (const double alpha : {0.2, 0.5}) {
        const MeshSettings s = settings_of(box, order, alpha);
        const OptimalInfluence influence(s);
        // Some waves of each kind: near zero, at the highest one of an axis, in between.
        for (const std::array<int, 3> at : {std::array{1, 0, 0},
                                            {0, 5, 0},
                                            {6, 5, 4},
                                            {6, 3, 8},
                                            {11, 9, 1},
                                            {4, 7, 5},
                                            {5, 5, 5},
                                            {3, 0, 4}}) {
          std::array<int, 3> wave{};
          for (int a = 0; a < 3; ++a) wave[a] = 2 * at[a] <= s.mesh[a] ? at[a] : at[a] - s.mesh[a];
          const auto sums = reference::images_of_wave(s, wave);
          const double g = reference::optimal_influence(s, sums);
          // Sums of numbers below 1 for a result above 1e-3, and images that are left out.
          EXPECT_NEAR(influence.value(at[0], at[1], at[2]), g, 1e-11 * g);
          const Virial virial = influence.virial(at[0], at[1], at[2], 1);
          const Virial expected = reference::optimal_virial(s, sums, 1);
          const double size = 1 + 2 * std::numbers::pi * std::numbers::pi / (alpha * alpha);
          for (int c = 0; c < 6; ++c) EXPECT_NEAR(virial[c], expected[c], 1e-10 * size) << c;
        }
      }
}

TEST(OptimalInfluence, HasNoValueAtTheOriginAndTheSameAtOppositeWaves) {
  for (const Box& box : cells) {
    const OptimalInfluence influence(settings_of(box, 4, 0.3));
    EXPECT_EQ(influence.value(0, 0, 0), 0);
    EXPECT_EQ(influence.virial(0, 0, 0, 1), Virial{});
    for (int x = 0; x < 12; ++x)
      for (int y = 0; y < 10; ++y)
        for (int z = 0; z < 9; ++z) {
          const double opposite = influence.value((12 - x) % 12, (10 - y) % 10, (9 - z) % 9);
          // Some rounding, and images left out below 4e-18.
          EXPECT_NEAR(influence.value(x, y, z), opposite, 1e-14 * opposite);
        }
  }
}

TEST(OptimalInfluence, OfAnotherBoxIsThatOfANewOne) {
  for (const Box& first : cells)
    for (const Box& second : cells) {
      OptimalInfluence moved(settings_of(first, 6, 0.3));
      moved.set_box(second);
      const OptimalInfluence made(settings_of(second, 6, 0.3));
      for (int x = 0; x < 12; ++x)
        for (int y = 0; y < 10; ++y) {
          EXPECT_EQ(moved.value(x, y, 5), made.value(x, y, 5));
          EXPECT_EQ(moved.virial(x, y, 5, 1), made.virial(x, y, 5, 1));
        }
    }
}

/// Where the spacing is far below the width of the screening charges, nothing of an image is left.
TEST(OptimalInfluence, IsFiniteWhereAllGaussiansVanish) {
  for (const Box& box : cells) {
    const MeshSettings s{.box = box,
                         .mesh = {64, 64, 64},
                         .order = 4,
                         .alpha = 0.05,
                         .influence = InfluenceFunction::optimal};
    const OptimalInfluence influence(s);
    for (const int m : {1, 7, 31, 32, 33, 63}) {
      EXPECT_TRUE(std::isfinite(influence.value(m, 32, m)));
      for (const double component : influence.virial(m, 32, m, 0)) EXPECT_EQ(component, 0);
      for (const double component : influence.row_virial(32, m, std::vector<double>(64)))
        EXPECT_EQ(component, 0);
    }
  }
}

}  // namespace
}  // namespace fg
