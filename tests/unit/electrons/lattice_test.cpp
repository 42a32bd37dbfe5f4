// SPDX-License-Identifier: BSD-3-Clause
//
// Cells of any shape: reciprocal vectors, fractional coordinates, reduction, and cells that are
// none.
#include "electrons/waves/lattice.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/error.hpp"

namespace fg::electrons {
namespace {

const Lattice any = {{Vec3{9.1, 0.3, -0.8}, Vec3{-1.7, 8.2, 0.6}, Vec3{2.1, -1.4, 10.3}}};
const Lattice left = {{any.vectors[1], any.vectors[0], any.vectors[2]}};

TEST(Lattice, ReciprocalVectorsAreThoseOfBothHands) {
  for (const Lattice& lattice : {any, left}) {
    const auto b = lattice.reciprocal();
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k)
        EXPECT_NEAR(dot(b[i], lattice.vectors[k]), i == k ? 2 * std::numbers::pi : 0, 1e-14);
    EXPECT_EQ(lattice.reciprocal_rows()[1][2], b[1].z);
  }
  EXPECT_NEAR(any.volume(), left.volume(), 1e-12);
  EXPECT_GT(left.volume(), 0);
}

TEST(Lattice, FractionalCoordinatesMakeThePosition) {
  const Vec3 r{3.2, -17, 0.4};
  for (const Lattice& lattice : {any, left})
    EXPECT_LT(norm(lattice.position(lattice.fractional(r)) - r), 1e-13);
}

TEST(Lattice, ReductionKeepsTheLatticeAndShortensItsVectors) {
  Lattice skewed = any;
  skewed.vectors[1] += skewed.vectors[0] * 7;
  skewed.vectors[2] -= skewed.vectors[1] * 4;
  const Lattice back = reduced(skewed);
  EXPECT_NEAR(back.volume(), any.volume(), 1e-10);
  for (const Vec3& v : back.vectors) {
    EXPECT_LT(norm(v), 10.7);
    const Vec3 s = any.fractional(v);
    for (int a = 0; a < 3; ++a) EXPECT_NEAR(s[a], std::nearbyint(s[a]), 1e-12);
  }
}

TEST(Lattice, ReductionOfAReducedCellChangesNothing) {
  const Lattice hexagonal = {{Vec3{5, 0, 0}, Vec3{2.5, 2.5 * std::sqrt(3.0), 0}, Vec3{0, 0, 7}}};
  EXPECT_EQ(reduced(hexagonal).vectors, hexagonal.vectors);
}

TEST(Lattice, KnowsHowManyTimesLongerWavesMayBecome) {
  EXPECT_NEAR(largest_wave_stretch(any, any), 1, 1e-14);
  // Waves along a vector that is shortened to a half are twice as long.
  const Lattice box = {{Vec3{4, 0, 0}, Vec3{0, 6, 0}, Vec3{0, 0, 8}}};
  Lattice half = box;
  half.vectors[1] = half.vectors[1] * 0.5;
  EXPECT_NEAR(largest_wave_stretch(box, half), 2, 1e-14);
  EXPECT_NEAR(largest_wave_stretch(half, box), 1, 1e-14);
  // No wave does more, and some wave nearly as much, in cells without symmetry.
  for (const Lattice& to :
       {left, Lattice{{Vec3{8.8, 0.9, -0.1}, Vec3{-1.1, 7.7, 0.2}, Vec3{1.3, -0.4, 9.9}}}}) {
    const double most = largest_wave_stretch(any, to);
    const auto b = any.reciprocal(), c = to.reciprocal();
    double found = 0;
    for (int x = -12; x <= 12; ++x)
      for (int y = -12; y <= 12; ++y)
        for (int z = -12; z <= 12; ++z) {
          if (x == 0 && y == 0 && z == 0) continue;
          const double before = norm(b[0] * x + b[1] * y + b[2] * z);
          found = std::max(found, norm(c[0] * x + c[1] * y + c[2] * z) / before);
        }
    EXPECT_LE(found, most * (1 + 1e-14));
    EXPECT_GT(found, 0.995 * most);  // of some 15 000 directions
  }
}

TEST(Lattice, RefusesCellsWithoutVolume) {
  Lattice flat = any;
  flat.vectors[2] = flat.vectors[0] * 0.3 - flat.vectors[1];
  EXPECT_THROW(check_lattice(flat), InputError);
  Lattice endless = any;
  endless.vectors[1].y = std::numeric_limits<double>::infinity();
  EXPECT_THROW(check_lattice(endless), InputError);
  EXPECT_THROW(check_lattice(Lattice{}), InputError);
  EXPECT_NO_THROW(check_lattice(left));
}

}  // namespace
}  // namespace fg::electrons
