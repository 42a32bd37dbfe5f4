// SPDX-License-Identifier: BSD-3-Clause
//
// The tables of lines: roots of unity, the plain recursion, the division into passes.
#include "fft/lines/line_plan.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <map>
#include <memory>
#include <numbers>
#include <numeric>
#include <set>
#include <vector>

#include "base/error.hpp"
#include "fft/lines/kept_plans.hpp"
#include "fft/lines/line_transform.hpp"
#include "fft/lines/plain_transform.hpp"
#include "fft/lines/radices.hpp"
#include "fft/lines/unit_roots.hpp"

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

template <class Real>
void expect_bits_of_single_roots(std::int64_t n, std::int64_t step) {
  const UnitRoots roots(n);
  for (std::int64_t k = 0; k < n; k += step) {
    const UnitRoot root = unit_root(k, n);
    const auto [cosine, sine] = roots.rounded<Real>(k);
    ASSERT_EQ(cosine, static_cast<Real>(root.cosine)) << k << " of " << n;
    ASSERT_EQ(sine, static_cast<Real>(root.sine)) << k << " of " << n;
  }
}

TEST(UnitRootsTest, HaveTheBitsOfSingleRoots) {
  for (std::int64_t n = 1; n <= 300; ++n) {
    expect_bits_of_single_roots<float>(n, 1);
    expect_bits_of_single_roots<double>(n, 1);
  }
  for (const std::int64_t n : {65536, 100000, 99991, 2073600, 2000006, 8000074}) {
    expect_bits_of_single_roots<float>(n, n / 20000 + 1);
    expect_bits_of_single_roots<double>(n, n / 20000 + 1);
  }
}

TEST(UnitRootsTest, OfHalfATurnHaveTheBitsOfSingleRoots) {
  for (std::int64_t n = 1; n <= 300; ++n) {
    const std::vector<UnitRoot> roots = half_turn_of_roots(n);
    ASSERT_EQ(static_cast<std::int64_t>(roots.size()), n / 2 + 1);
    for (std::int64_t k = 0; k <= n / 2 && k < n; ++k) {
      const UnitRoot root = unit_root(k, n), &found = roots[static_cast<std::size_t>(k)];
      ASSERT_EQ(found.cosine, root.cosine) << k << " of " << n;
      ASSERT_EQ(found.sine, root.sine) << k << " of " << n;
    }
  }
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

/// Bits of convolutions depend on it.
TEST(ConvenientLength, StaysWhatItIs) {
  const std::map<int, int> lengths{{1, 1},         {2, 2},           {33, 36},
                                   {193, 195},     {2017, 2048},     {8197, 8640},
                                   {40021, 40960}, {200005, 207360}, {2000005, 2073600}};
  for (const auto& [least, length] : lengths) EXPECT_EQ(convenient_length(least), length);
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
    const auto blocks = line_plan<double>(n)->block_of_wave;
    const std::set<int> different(blocks.begin(), blocks.end());
    EXPECT_EQ(different.size(), blocks.size());
    EXPECT_EQ(blocks.front(), 0);
    EXPECT_EQ(*different.rbegin() + 1, static_cast<int>(blocks.size()));
  }
}

TEST(LinePlanTest, IsTheSameObjectEachTime) {
  EXPECT_EQ(line_plan<float>(96), line_plan<float>(96));
}

TEST(LinePlanTest, RefusesPrimesThatCannotBeCountedTwice) {
  EXPECT_THROW(line_plan<float>(1073741827), InputError);
  EXPECT_THROW(line_plan<float>(536870923), InputError);  // the first one above the limit
}

TEST(KeptPlansTest, AreTheOnesUsedLastWithinALimit) {
  const std::weak_ptr<const LinePlan<double>> first = line_plan<double>(4099);
  const auto used = line_plan<double>(4111);
  std::size_t made = 0;
  for (int n = 20011; made < 4 * kept_plan_bytes; n += 2) {
    made += line_plan<double>(n)->bytes();
    EXPECT_LE(kept_plans<double>().bytes, kept_plan_bytes);
    EXPECT_EQ(line_plan<double>(4111), used) << "used between all others";
  }
  EXPECT_TRUE(first.expired());
  EXPECT_EQ(used->length, 4111);
}

TEST(KeptPlansTest, AFewStayWhateverTheirSize) {
  // 16 bytes for each point of the factors, and more for other tables.
  constexpr int length = 1 << 20;
  static_assert(std::size_t{3} * 16 * length > kept_plan_bytes);
  const void* const large[] = {line_plan<double>(length).get(), line_plan<double>(3 * length).get(),
                               line_plan<double>(5 * length).get()};
  EXPECT_EQ(line_plan<double>(length).get(), large[0]);
  EXPECT_EQ(line_plan<double>(3 * length).get(), large[1]);
  EXPECT_EQ(line_plan<double>(5 * length).get(), large[2]);
  for (const int n : {3, 5, 7, 9}) line_plan<double>(n);
  EXPECT_LE(kept_plans<double>().bytes, kept_plan_bytes);
  EXPECT_EQ(kept_plans<double>().plans, always_kept_plans);
}

/// A transform works after its plan is no longer kept.
TEST(KeptPlansTest, APlanInUseLivesOn) {
  constexpr int length = 4127;
  const LineLayout layout{1, length, length};
  const LineTransform<double> transform({length, 1, 1, layout, layout}, Direction::forward);
  std::vector<std::complex<double>> points(length), before(length), after(length);
  for (int j = 0; j < length; ++j) points[static_cast<std::size_t>(j)] = {1.0 / (j + 1), 0.5 * j};
  transform.execute(points.data(), before.data());
  const std::weak_ptr<const LinePlan<double>> plan = line_plan<double>(length);
  for (const int n : {1 << 21, 3 << 20, 5 << 19, 7 << 18}) line_plan<double>(n);
  EXPECT_FALSE(plan.expired());
  EXPECT_NE(line_plan<double>(length), plan.lock()) << "made again";
  transform.execute(points.data(), after.data());
  EXPECT_EQ(before, after);
}

TEST(LineTransformTest, RefusesBatchesWithoutPoints) {
  const LineLayout layout{1, 8, 8};
  EXPECT_THROW(LineTransform<float>({0, 1, 1, layout, layout}, Direction::forward), InternalError);
  EXPECT_THROW(LineTransform<float>({8, 0, 1, layout, layout}, Direction::forward), InternalError);
  EXPECT_THROW(LineTransform<float>({8, 1, -1, layout, layout}, Direction::forward), InternalError);
}

}  // namespace
}  // namespace fg::fft::test
