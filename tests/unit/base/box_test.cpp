// SPDX-License-Identifier: BSD-3-Clause
//
// Fractional coordinates, widths and images of tilted cells, against cross products and against a
// search over all images. Units: bohr.
#include "base/box.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "support/cells.hpp"

namespace fg::test {
namespace {

double shortest_edge(const Box& box) {
  return std::min({box.edge.x, box.edge.y, box.edge.z});
}

class Boxes : public ::testing::TestWithParam<Box> {
 protected:
  Vec3 random_in(double low, double high) {
    std::uniform_real_distribution<double> s(low, high);
    const double x = s(random_), y = s(random_), z = s(random_);
    return box_.position(Vec3{x, y, z});
  }
  Box box_ = GetParam();
  std::mt19937_64 random_{5};
};

// Distances of up to 30 bohr: a few roundings of 4e-15.
constexpr double rounding = 2e-14;

TEST_P(Boxes, PositionsAreSumsOfTheVectors) {
  const Vec3 s{0.3, -1.2, 2.5};
  const Vec3 sum = s.x * box_.vector(0) + s.y * box_.vector(1) + s.z * box_.vector(2);
  EXPECT_LT(norm(box_.position(s) - sum), rounding);
  EXPECT_NEAR(box_.volume(), dot(box_.vector(0), cross(box_.vector(1), box_.vector(2))), 1e-11);
}

TEST_P(Boxes, FractionalIsTheInverseOfPosition) {
  for (int i = 0; i < 100; ++i) {
    const Vec3 r = random_in(-2, 2);
    EXPECT_LT(norm(box_.position(box_.fractional(r)) - r), rounding);
  }
}

TEST_P(Boxes, FractionalCoordinatesAreProductsWithTheReciprocalVectors) {
  const Vec3 a = box_.vector(0), b = box_.vector(1), c = box_.vector(2);
  const Vec3 reciprocal[3] = {cross(b, c), cross(c, a), cross(a, b)};
  const Tilt slant = box_.reciprocal_tilt();
  for (int i = 0; i < 20; ++i) {
    const Vec3 r = random_in(-2, 2), s = box_.fractional(r), along = along_axes(r, slant);
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_NEAR(s[axis], dot(reciprocal[axis], r) / box_.volume(), 1e-14);
      EXPECT_NEAR(s[axis], along[axis] / box_.edge[axis], 1e-14);
      const Vec3 one{axis == 0 ? 1.0 : 0.0, axis == 1 ? 1.0 : 0.0, axis == 2 ? 1.0 : 0.0};
      const Vec3 wave = from_axes(one, slant) * (1 / box_.edge[axis]);
      EXPECT_LT(norm(wave - reciprocal[axis] * (1 / box_.volume())), 1e-15);
    }
  }
}

TEST_P(Boxes, WidthsAreTheVolumeOverTheFaces) {
  const Vec3 a = box_.vector(0), b = box_.vector(1), c = box_.vector(2), widths = box_.widths();
  EXPECT_NEAR(widths.x, box_.volume() / norm(cross(b, c)), rounding);
  EXPECT_NEAR(widths.y, box_.volume() / norm(cross(c, a)), rounding);
  EXPECT_NEAR(widths.z, box_.volume() / norm(cross(a, b)), rounding);
}

TEST_P(Boxes, TheNearestImageIsTheShortestOfAll) {
  const double limit = 0.5 * shortest_edge(box_);
  int near = 0;
  for (int i = 0; i < 2000; ++i) {
    const Vec3 d = random_in(-1, 1);
    double shortest = norm(d);
    for (int x = -3; x <= 3; ++x)
      for (int y = -3; y <= 3; ++y)
        for (int z = -3; z <= 3; ++z)
          shortest = std::min(shortest, norm(d + box_.position(Int3{x, y, z})));
    const double found = norm(box_.nearest_image(d));
    EXPECT_GE(found, shortest - rounding);
    if (shortest >= limit) continue;
    EXPECT_NEAR(found, shortest, rounding);
    ++near;
  }
  EXPECT_GT(near, 500);
}

TEST_P(Boxes, AnImageMovesAPositionIntoTheCell) {
  for (int i = 0; i < 100; ++i) {
    const Vec3 r = random_in(-3, 3), inside = r - box_.position(box_.image_of(r));
    for (const double s :
         {box_.fractional(inside).x, box_.fractional(inside).y, box_.fractional(inside).z}) {
      EXPECT_GE(s, -1e-14);
      EXPECT_LE(s, 1 + 1e-14);
    }
    EXPECT_EQ(box_.image_of(inside), (Int3{0, 0, 0}));
  }
}

INSTANTIATE_TEST_SUITE_P(Cells, Boxes,
                         ::testing::Values(Box{{20, 24, 22}}, truncated_octahedron(25),
                                           rhombic_dodecahedron(24), skew_cell(21)));

TEST(Box, OfATruncatedOctahedronHasEqualWidths) {
  // Its images at the corners of a body-centred cubic lattice: d sqrt(6) / 3 between planes.
  const Vec3 widths = truncated_octahedron(3).widths();
  for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(widths[axis], std::sqrt(6.0), 1e-14);
}

}  // namespace
}  // namespace fg::test
