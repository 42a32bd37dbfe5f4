// SPDX-License-Identifier: BSD-3-Clause
//
// Squares and products of points on every SIMD target against the plain loops, also for numbers
// that do not fill a vector; nothing behind the last point is written.
#include "electrons/matrices/point_products.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "support/each_simd_target.hpp"
#include "support/random_values.hpp"
#include "support/references/electrons/matrix_references.hpp"

namespace fg::electrons {
namespace {

using PointProducts = test::EachSimdTarget;

std::vector<std::complex<double>> random_points(std::size_t count) {
  const auto re = test::random_values<double>(count, 1), im = test::random_values<double>(count, 2);
  std::vector<std::complex<double>> points(count);
  for (std::size_t i = 0; i < count; ++i) points[i] = {re[i], im[i]};
  return points;
}

TEST_P(PointProducts, AreThoseOfThePlainLoops) {
  for (const std::size_t count : {0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 64}) {
    auto points = random_points(count + 1);
    auto sums = test::random_values<double>(count + 1, 3), plain_sums = sums;
    add_squares(points.data(), count, sums.data());
    reference::add_squares(points.data(), count, plain_sums.data());
    // Numbers of up to 3 give squares below 9 and sums below 21, rounded by 4 and 8 epsilon: 24 of
    // the plain loops, and 16 of the kernel, which does not round one square or both.
    for (std::size_t i = 0; i <= count; ++i)
      EXPECT_NEAR(sums[i], plain_sums[i], 40 * std::numeric_limits<double>::epsilon()) << i;
    EXPECT_EQ(sums.back(), plain_sums.back());

    auto plain_points = points;
    multiply_points(sums.data(), count, points.data());
    reference::multiply_points(sums.data(), count, plain_points.data());
    EXPECT_EQ(points, plain_points) << count;
  }
}

/// So that the cut into rows and turns does not matter.
TEST_P(PointProducts, HaveTheSameBitsWhereverAPointIs) {
  const auto points = random_points(33);
  auto sums = test::random_values<double>(33, 4), singles = sums;
  add_squares(points.data(), 33, sums.data());
  for (std::size_t i = 0; i < 33; ++i) add_squares(points.data() + i, 1, singles.data() + i);
  EXPECT_EQ(sums, singles);
}

FG_ON_EACH_SIMD_TARGET(PointProducts);

}  // namespace
}  // namespace fg::electrons
