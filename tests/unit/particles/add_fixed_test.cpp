// SPDX-License-Identifier: BSD-3-Clause
#include "particles/add_fixed.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <vector>

#include "base/fixed_point.hpp"
#include "support/each_simd_target.hpp"

namespace fg {
namespace {

using AddFixedTargets = test::EachSimdTarget;

template <class Real>
void same_bits_as_to_fixed() {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> exponent(-45.0, 12.9), sign(-1.0, 1.0);
  for (const std::size_t n : {0u, 1u, 3u, 8u, 24u, 101u}) {
    std::vector<Real> values(n);
    std::vector<std::int64_t> sums(n), expected(n);
    for (std::size_t k = 0; k < n; ++k) {
      values[k] = static_cast<Real>(sign(random) * std::exp2(exponent(random)));
      sums[k] = expected[k] = static_cast<std::int64_t>(1e12 * sign(random));
      expected[k] += force_scale.to_fixed(values[k]);
    }
    EXPECT_TRUE(add_fixed(sums.data(), values.data(), n));
    EXPECT_EQ(sums, expected);
    EXPECT_EQ(find_bad(values.data(), n), n);
  }
}

TEST_P(AddFixedTargets, HasTheBitsOfToFixed) {
  same_bits_as_to_fixed<float>();
  same_bits_as_to_fixed<double>();
}

TEST_P(AddFixedTargets, FindsWhatDoesNotFit) {
  const double limit = force_scale.limit();
  for (const double bad : {limit, -2 * limit, std::numeric_limits<double>::quiet_NaN(),
                           std::numeric_limits<double>::infinity()}) {
    for (const std::size_t at : {0u, 5u, 16u}) {
      std::vector<double> values(17, 0.5);
      std::vector<std::int64_t> sums(17, 0);
      values[at] = bad;
      EXPECT_FALSE(add_fixed(sums.data(), values.data(), values.size()));
      EXPECT_EQ(find_bad(values.data(), values.size()), at);
    }
  }
}

FG_ON_EACH_SIMD_TARGET(AddFixedTargets);

}  // namespace
}  // namespace fg
