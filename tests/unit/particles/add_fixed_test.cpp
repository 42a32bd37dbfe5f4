// SPDX-License-Identifier: BSD-3-Clause
#include "particles/add_fixed.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <vector>

#include "base/fixed_point.hpp"
#include "particles/neighbourhood.hpp"
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

/// Forces of clusters as a neighbourhood has them, in quads among other numbers.
template <class Real>
std::vector<Real> in_quads(const std::vector<Real>& values) {
  const std::size_t clusters = values.size() / cluster_numbers;
  std::vector<Real> quads(2 * clusters * quad::stride, Real(1e30));
  for (std::size_t c = 0; c < clusters; ++c)
    for (std::size_t k = 0; k < cluster_numbers; ++k) {
      const std::size_t axis = k / cluster_size, lane = k % cluster_size;
      quads[(2 * c + lane / 4) * quad::stride + quad::force_x + 4 * axis + lane % 4] =
          values[c * cluster_numbers + k];
    }
  return quads;
}

template <class Real>
void same_bits_from_quads() {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> exponent(-45.0, 12.9), sign(-1.0, 1.0);
  std::vector<Real> values(5 * cluster_numbers);
  for (Real& value : values) value = static_cast<Real>(sign(random) * std::exp2(exponent(random)));
  const std::vector<Real> quads = in_quads(values);
  std::vector<std::int64_t> sums(values.size(), 7), expected = sums;
  const std::vector<std::int32_t> touched{0, 1, 4};
  for (const std::int32_t c : touched)
    for (int k = c * cluster_numbers; k < (c + 1) * cluster_numbers; ++k)
      expected[static_cast<std::size_t>(k)] +=
          force_scale.to_fixed(values[static_cast<std::size_t>(k)]);
  EXPECT_EQ(add_fixed_quads(sums.data(), quads.data(), touched), -1);
  EXPECT_EQ(sums, expected);
  EXPECT_EQ(add_fixed_quads(sums.data(), quads.data(), {}), -1);
}

TEST_P(AddFixedTargets, HasTheBitsOfToFixedFromQuads) {
  same_bits_from_quads<float>();
  same_bits_from_quads<double>();
}

TEST_P(AddFixedTargets, FindsTheSlotInQuadsThatDoesNotFit) {
  for (const double bad : {-force_scale.limit(), std::numeric_limits<double>::quiet_NaN()}) {
    for (const int axis : {0, 1, 2})
      for (const int slot : {8, 11, 12, 31}) {
        std::vector<double> values(4 * cluster_numbers, 0.5);
        values[static_cast<std::size_t>(number_of_slot(slot) + axis * cluster_size)] = bad;
        std::vector<std::int64_t> sums(values.size());
        const std::vector<std::int32_t> touched{1, 2, 3};
        EXPECT_EQ(add_fixed_quads(sums.data(), in_quads(values).data(), touched), slot);
      }
  }
}

FG_ON_EACH_SIMD_TARGET(AddFixedTargets);

}  // namespace
}  // namespace fg
