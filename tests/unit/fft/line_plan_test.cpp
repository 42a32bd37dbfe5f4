// SPDX-License-Identifier: BSD-3-Clause
//
// The tables of lines: roots of unity, the plain recursion, the division into passes.
#include "fft/lines/line_plan.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>
#include <set>

#include "base/error.hpp"
#include "fft/line_transform.hpp"
#include "fft/lines/plain_transform.hpp"
#include "fft/lines/radices.hpp"
#include "fft/lines/unit_root.hpp"

namespace fg::fft::test {
namespace {

TEST(UnitRootTest, IsThatOfTheLibraryAndExactOnTheAxes) {
  for (const int n : {1, 2, 3, 4, 7, 8, 64, 97, 100, 1001})
    for (int k = 0; k < n; ++k) {
      const UnitRoot root = unit_root(k, n);
      const long double angle = 2 * std::numbers::pi_v<long double> * k / n;
      // The angle itself is rounded: up to 2 pi times the last place.
      const long double tolerance = 8 * std::numeric_limits<long double>::epsilon();
      EXPECT_LT(std::abs(root.cosine - std::cos(angle)), tolerance);
      EXPECT_LT(std::abs(root.sine - std::sin(angle)), tolerance);
    }
  EXPECT_EQ(unit_root(3, 12).cosine, 0.0L);
  EXPECT_EQ(unit_root(3, 12).sine, 1.0L);
  EXPECT_EQ(unit_root(6, 12).cosine, -1.0L);
  EXPECT_EQ(unit_root(9, 12).sine, -1.0L);
}

TEST(PlainTransform, IsTheDefiningSum) {
  for (const std::size_t n : {1, 2, 3, 4, 12, 25, 37, 60}) {
    std::vector<LongComplex> line(n);
    for (std::size_t j = 0; j < n; ++j)
      line[j] = {std::sin(static_cast<long double>(j * j)), std::cos(2.5L * j)};
    const std::vector<LongComplex> waves = plain_transform(line);
    for (std::size_t k = 0; k < n; ++k) {
      LongComplex sum = 0;
      for (std::size_t j = 0; j < n; ++j)
        sum += line[j] * std::polar(1.0L, -2 * std::numbers::pi_v<long double> *
                                              static_cast<long double>(j * k % n) / n);
      // n terms of size 1, each with an angle that is rounded.
      EXPECT_LT(std::abs(waves[k] - sum), 16 * n * std::numeric_limits<long double>::epsilon());
    }
  }
}

TEST(Radices, MultiplyToTheLength) {
  for (int n = 2; n <= 3000; ++n) {
    const std::vector<int> radices = radices_of(n);
    int rest = n;
    for (const int p : {2, 3, 5, 7, 11, 13})
      while (rest % p == 0) rest /= p;
    EXPECT_EQ(radices.empty(), rest != 1) << n;
    if (rest != 1) continue;
    EXPECT_EQ(std::accumulate(radices.begin(), radices.end(), 1, std::multiplies<>()), n);
  }
}

TEST(Radices, OfUsualMeshesAreTwoPasses) {
  for (const int n : {32, 48, 64, 72, 80, 96, 100, 108, 120, 128, 144, 256})
    EXPECT_EQ(radices_of(n).size(), 2U) << n;
}

TEST(ConvenientLength, IsSmoothAndLessThanTwiceAsLong) {
  for (int least = 1; least <= 600; ++least) {
    const int n = convenient_length(least);
    EXPECT_GE(n, least);
    EXPECT_LE(n, 2 * least);
    EXPECT_TRUE(n == 1 || !radices_of(n).empty()) << n;
  }
}

/// The order in which the last pass meets its blocks: each once, and X_0 is in the first.
TEST(LinePlanTest, LastPassMeetsEachBlockOnce) {
  for (const int n : {16, 64, 1000, 2048}) {
    const auto& blocks = line_plan<double>(n).block_of_wave;
    const std::set<int> different(blocks.begin(), blocks.end());
    EXPECT_EQ(different.size(), blocks.size());
    EXPECT_EQ(blocks.front(), 0);
    EXPECT_EQ(*different.rbegin() + 1, static_cast<int>(blocks.size()));
  }
}

TEST(LinePlanTest, IsTheSameObjectEachTime) {
  EXPECT_EQ(&line_plan<float>(96), &line_plan<float>(96));
}

TEST(LineTransformTest, RefusesBatchesWithoutPoints) {
  const LineLayout layout{1, 8, 8};
  EXPECT_THROW(LineTransform<float>({0, 1, 1, layout, layout}, Direction::forward), InternalError);
  EXPECT_THROW(LineTransform<float>({8, 0, 1, layout, layout}, Direction::forward), InternalError);
  EXPECT_THROW(LineTransform<float>({8, 1, -1, layout, layout}, Direction::forward), InternalError);
}

}  // namespace
}  // namespace fg::fft::test
