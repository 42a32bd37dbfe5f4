// SPDX-License-Identifier: BSD-3-Clause
//
// The random numbers have the distribution they claim. Every bound holds with a false-alarm rate of
// 1e-6 per test over the choice of seed; the seeds are fixed, so a test that passes keeps passing.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "base/philox.hpp"

namespace fg::test {
namespace {

// |standard normal| exceeds this with probability 1e-6.
constexpr double one_in_a_million = 4.8916;

/// Chi-square with many degrees of freedom as a standard normal (Wilson and Hilferty).
double chi_square_as_normal(double chi2, double freedom) {
  const double k = 2.0 / (9.0 * freedom);
  return (std::cbrt(chi2 / freedom) - (1.0 - k)) / std::sqrt(k);
}

TEST(PhiloxDistribution, EveryByteOfEveryWordIsUniform) {
  constexpr int draws = 1 << 17;
  constexpr int bins = 256;
  for (int word = 0; word < 4; ++word)
    for (int byte = 0; byte < 4; ++byte) {
      std::vector<int> count(bins, 0);
      for (std::uint32_t i = 0; i < draws; ++i)
        ++count[philox4x32({i, 7, 0, 1}, {42, 0})[word] >> (8 * byte) & 0xff];
      double chi2 = 0;
      const double expected = double(draws) / bins;
      for (const int c : count) chi2 += (c - expected) * (c - expected) / expected;
      // Sixteen tests share the rate: 1e-6 / 16 two-sided is 5.4 standard deviations.
      EXPECT_LT(std::abs(chi_square_as_normal(chi2, bins - 1)), 5.4) << word << ' ' << byte;
    }
}

class NormalDistribution : public ::testing::Test {
 protected:
  static constexpr int atoms = 1 << 16;
  NormalDistribution() : ids_(atoms), axis_(3, std::vector<float>(atoms)) {
    for (int i = 0; i < atoms; ++i) ids_[i] = i;
    normal_triples({.seed = 2026, .step = 11}, ids_,
                   {axis_[0].data(), axis_[1].data(), axis_[2].data()});
  }
  std::vector<std::int32_t> ids_;
  std::vector<std::vector<float>> axis_;
};

TEST_F(NormalDistribution, HasTheMomentsOfANormal) {
  // Variances of the sample means of x, x^2, x^3, x^4 are 1, 2, 15, 96 over n.
  const double want[4] = {0, 1, 0, 3};
  const double variance[4] = {1, 2, 15, 96};
  for (int a = 0; a < 3; ++a)
    for (int power = 1; power <= 4; ++power) {
      double sum = 0;
      for (const float x : axis_[a]) sum += std::pow(double{x}, power);
      const double deviation =
          (sum / atoms - want[power - 1]) / std::sqrt(variance[power - 1] / atoms);
      EXPECT_LT(std::abs(deviation), 5.4) << "axis " << a << ", power " << power;  // twelve tests
    }
}

TEST_F(NormalDistribution, FillsEqualShares) {
  // Sorted by the cumulative distribution into 64 bins of equal probability.
  constexpr int bins = 64;
  for (int a = 0; a < 3; ++a) {
    std::vector<int> count(bins, 0);
    for (const float x : axis_[a])
      ++count[std::min(bins - 1, static_cast<int>(bins * 0.5 * std::erfc(-x / std::sqrt(2.0))))];
    double chi2 = 0;
    const double expected = double(atoms) / bins;
    for (const int c : count) chi2 += (c - expected) * (c - expected) / expected;
    EXPECT_LT(std::abs(chi_square_as_normal(chi2, bins - 1)), 5.2) << a;
  }
}

TEST_F(NormalDistribution, AxesAndSuccessiveAtomsAreUncorrelated) {
  const auto correlation = [&](int a, int b, int lag) {
    double sum = 0;
    for (int i = 0; i + lag < atoms; ++i) sum += double{axis_[a][i]} * axis_[b][i + lag];
    return sum / std::sqrt(double(atoms - lag));  // each product has mean 0 and variance 1
  };
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b)
      for (int lag = (a < b ? 0 : 1); lag < 3; ++lag)
        EXPECT_LT(std::abs(correlation(a, b, lag)), one_in_a_million + 0.6) << a << b << lag;
}

}  // namespace
}  // namespace fg::test
