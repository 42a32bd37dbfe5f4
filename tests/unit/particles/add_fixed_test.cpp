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
  const std::vector<std::int32_t> place{3, 0, 7, 4};
  for (const int clusters : {0, 1, 3, 4}) {
    std::vector<Real> values(static_cast<std::size_t>(clusters) * cluster_numbers);
    std::vector<std::int64_t> sums(8 * cluster_numbers);
    for (std::int64_t& sum : sums) sum = static_cast<std::int64_t>(1e12 * sign(random));
    std::vector<std::int64_t> expected = sums;
    for (std::size_t k = 0; k < values.size(); ++k) {
      values[k] = static_cast<Real>(sign(random) * std::exp2(exponent(random)));
      expected[static_cast<std::size_t>(place[k / cluster_numbers]) * cluster_numbers +
               k % cluster_numbers] += force_scale.to_fixed(values[k]);
    }
    EXPECT_EQ(add_fixed(sums.data(), values.data(), place.data(), clusters), clusters);
    EXPECT_EQ(sums, expected);
    EXPECT_EQ(find_bad(values.data(), values.size()), values.size());
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
    for (const std::size_t at : {0u, 5u, 23u, 24u, 71u}) {
      std::vector<double> values(3 * cluster_numbers, 0.5);
      std::vector<std::int64_t> sums(3 * cluster_numbers, 0);
      const std::int32_t place[] = {2, 0, 1};
      values[at] = bad;
      EXPECT_EQ(add_fixed(sums.data(), values.data(), place, 3),
                static_cast<int>(at) / cluster_numbers);
      EXPECT_EQ(find_bad(values.data(), values.size()), at);
    }
  }
}

FG_ON_EACH_SIMD_TARGET(AddFixedTargets);

}  // namespace
}  // namespace fg
