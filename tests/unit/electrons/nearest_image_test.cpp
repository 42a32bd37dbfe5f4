// SPDX-License-Identifier: BSD-3-Clause
//
// The shortest image of a vector, against a look at all images.
#include "electrons/waves/nearest_image.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "base/error.hpp"
#include "support/electrons/plane_wave_samples.hpp"
#include "support/expect_refused.hpp"
#include "support/references/electrons/wave_references.hpp"

namespace fg::electrons {
namespace {

using test::expect_refused;

const Lattice face_centred{{Vec3{-5, 0, 5}, Vec3{0, 5, 5}, Vec3{-5, 5, 0}}};
const Lattice body_centred{{Vec3{-4, 4, 4}, Vec3{4, -4, 4}, Vec3{4, 4, -4}}};
/// The last vector is far from the shortest one.
const Lattice stretched{{Vec3{7, 0, 0}, Vec3{3.4, 6, 0}, Vec3{17.3, 9.2, 8}}};

TEST(NearestImage, IsTheShortestOfAllImages) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform(-30, 30);
  for (const Lattice& lattice :
       {test::skewed, test::cubic(8), face_centred, body_centred, stretched}) {
    const NearestImage nearest(lattice);
    for (int trial = 0; trial < 300; ++trial) {
      const Vec3 r{uniform(random), uniform(random), uniform(random)};
      const Vec3 image = nearest(r);
      // A few roundings of numbers up to 30.
      EXPECT_NEAR(norm(image), norm(reference::nearest_image(lattice, r)), 1e-13);
      const Vec3 s = lattice.fractional(r - image);
      for (int axis = 0; axis < 3; ++axis)
        EXPECT_NEAR(s[axis], std::nearbyint(s[axis]), 1e-13) << "an image";
      EXPECT_LE(nearest.growth(image), 1 + 1e-12);
    }
  }
}

TEST(NearestImage, KnowsTheShortestVector) {
  EXPECT_DOUBLE_EQ(NearestImage(test::cubic(8)).shortest(), 8);
  EXPECT_DOUBLE_EQ(NearestImage(face_centred).shortest(), std::sqrt(50.0));
  EXPECT_DOUBLE_EQ(NearestImage(body_centred).shortest(), std::sqrt(48.0));
}

TEST(NearestImage, SaysByHowMuchACellMustGrow) {
  // Half of the edge is the face; along the diagonal the face of a cube is no farther along x.
  EXPECT_DOUBLE_EQ(NearestImage(test::cubic(8)).growth({5, 0, 0}), 1.25);
  EXPECT_DOUBLE_EQ(NearestImage(test::cubic(8)).growth({3, -3, 3}), 0.75);
  // The face towards (5, 5, 0) is at half of its length.
  EXPECT_DOUBLE_EQ(NearestImage(face_centred).growth({5, 5, 0}), 2);
  // After growing so much it is on the face.
  const Vec3 r{4, 5, -3};
  Lattice grown = test::skewed;
  const double growth = NearestImage(grown).growth(r);
  for (Vec3& v : grown.vectors) v *= growth;
  EXPECT_NEAR(NearestImage(grown).growth(r), 1, 1e-14);
}

TEST(NearestImage, RefusesFlatCells) {
  const Lattice flat{{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{1, 1, 0}}};
  expect_refused<InputError>([&] { NearestImage nearest(flat); }, "lie in a plane");
}

}  // namespace
}  // namespace fg::electrons
