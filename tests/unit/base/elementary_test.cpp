// SPDX-License-Identifier: BSD-3-Clause
//
// The portable elementary functions against those of the C library, and the choice between them.
#include "base/elementary.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/bits_of_run.hpp"

namespace fg {
namespace {

namespace ours = elementary::portable;
constexpr double ulp = std::numeric_limits<double>::epsilon();
constexpr double inf = std::numeric_limits<double>::infinity();

/// At `count` places from `low` to `high`, to `units` of the last place, or, for values below
/// `least`, to these of `least`.
template <class Ours, class Theirs>
void compare(Ours ours_of, Theirs theirs_of, double low, double high, double units = 4,
             double least = 0, int count = 20'000) {
  for (int k = 0; k <= count; ++k) {
    const double x = low + (high - low) * k / count, expected = theirs_of(x);
    EXPECT_NEAR(ours_of(x), expected, units * ulp * std::max(std::abs(expected), least)) << x;
  }
}

TEST(PortableFunctions, AreWithinAFewUnitsOfTheLibrary) {
  const auto standard = [](double (*f)(double)) { return f; };
  compare(ours::exp, standard(std::exp), -700, 700);
  compare(ours::exp, standard(std::exp), -1, 1);
  compare(ours::expm1, standard(std::expm1), -3, 3);
  compare(ours::expm1, standard(std::expm1), -1e-6, 1e-6);
  compare(ours::log, standard(std::log), 1e-3, 5);
  compare(ours::log, standard(std::log), 1, 1e9);
  compare(ours::log1p, standard(std::log1p), -0.9, 2);
  compare(ours::log1p, standard(std::log1p), -1e-6, 1e-6);
  // Near their zeros at other places than 0, the argument is reduced to 1e-16 of itself.
  compare(ours::sin, standard(std::sin), -7, 7, 4, 1e-3);
  compare(ours::cos, standard(std::cos), -7, 7, 4, 1e-3);
  compare(ours::sin, standard(std::sin), -1e5, 1e5, 4, 1e-3);
  compare(ours::erf, standard(std::erf), -7, 7, 8);
  // Below 2 it is 1 - erf; from there on the exponent is rounded before it becomes a power: x^2
  // units.
  compare(ours::erfc, standard(std::erfc), -3, 2, 8, 1);
  compare(ours::erfc, standard(std::erfc), 2.001, 6, 80);
  compare(ours::cbrt, standard(std::cbrt), 1e-3, 1e6);
  compare([](double x) { return ours::pow(x, 0.37); }, [](double x) { return std::pow(x, 0.37); },
          1e-3, 1e3, 8);
  compare([](double x) { return ours::pow(x, 3); }, [](double x) { return std::pow(x, 3); }, -3, 3);
  for (const double r : {1e-5, 1.0, 1e5})
    for (int k = -1000; k <= 1000; ++k) {
      const double turn = k * std::numbers::pi / 1000, y = r * std::sin(turn),
                   x = r * std::cos(turn);
      EXPECT_NEAR(ours::atan2(y, x), std::atan2(y, x), 4 * ulp * std::abs(std::atan2(y, x)));
    }
}

TEST(PortableFunctions, AreExactWhereTheyCanBe) {
  EXPECT_EQ(ours::exp(0), 1);
  EXPECT_EQ(ours::exp(-1e4), 0);
  EXPECT_EQ(ours::exp(1e4), inf);
  EXPECT_EQ(ours::log(1), 0);
  EXPECT_EQ(ours::log(0), -inf);
  EXPECT_TRUE(std::isnan(ours::log(-1)));
  EXPECT_EQ(ours::sin(0), 0);
  EXPECT_EQ(ours::cos(0), 1);
  EXPECT_EQ(ours::cos(std::numbers::pi), -1);
  EXPECT_EQ(ours::erf(0), 0);
  EXPECT_EQ(ours::erf(9), 1);
  EXPECT_EQ(ours::erfc(-9), 2);
  EXPECT_EQ(ours::pow(2, -3), 0.125);
  EXPECT_EQ(ours::atan2(0.0, 1.0), 0);
  EXPECT_EQ(ours::atan2(0.0, -1.0), std::numbers::pi);
  EXPECT_EQ(ours::atan2(-1.0, 0.0), -std::numbers::pi / 2);
}

TEST(PortableFunctions, AreInUseInRunsWithPortableBitsOnly) {
  EXPECT_EQ(elementary::bits_in_use(), Bits::fast);
  {
    const BitsOfRun run(Bits::portable);
    EXPECT_EQ(elementary::bits_in_use(), Bits::portable);
    EXPECT_EQ(elementary::exp(0.3), ours::exp(0.3));
  }
  EXPECT_EQ(elementary::bits_in_use(), Bits::fast);
  const BitsOfRun run(Bits::fast);
  EXPECT_EQ(elementary::exp(0.3), std::exp(0.3));
}

}  // namespace
}  // namespace fg
