// SPDX-License-Identifier: BSD-3-Clause
//
// The preconditioner of residuals: against its twin and its limits.
#include "electrons/preconditioner.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "base/error.hpp"

namespace fg::electrons {
namespace {

using Waves = std::vector<std::complex<double>>;

TEST(Preconditioner, IsThatOfTheTwin) {
  const std::vector<double> squares = {0, 0.01, 0.7, 3, 11, 70, 1e4}, kinetic = {0.1, 1.5, 20};
  Waves block;
  for (int i = 0; i < 21; ++i) block.emplace_back(1 + i, 2 - i);
  const Waves before = block;
  precondition(squares, kinetic, block);
  for (std::size_t s = 0; s < 3; ++s)
    for (std::size_t i = 0; i < 7; ++i) {
      const auto right = before[s * 7 + i] * reference::preconditioner(squares[i], kinetic[s]);
      EXPECT_LE(std::abs(block[s * 7 + i] - right), 1e-15 * std::abs(right));
    }
}

/// Teter, Payne and Allan (1989): 1 with three derivatives that vanish at x = 0, then 1 / (2 x).
TEST(Preconditioner, LeavesSlowWavesAndDividesFastOnes) {
  constexpr double kinetic = 2;
  for (const double x : {1e-3, 1e-2}) {
    Waves one = {1.0};
    precondition(std::vector{3 * kinetic * x}, std::vector{kinetic}, one);
    EXPECT_NEAR(one[0].real(), 1, 0.6 * x * x * x * x + 2e-16);
    EXPECT_LT(one[0].real(), 1 + 2e-16);
  }
  Waves one = {1.0};
  precondition(std::vector{3 * kinetic * 1e6}, std::vector{kinetic}, one);
  EXPECT_NEAR(one[0].real() * 2e6, 1, 2e-6);
}

TEST(Preconditioner, RefusesEnergiesThatAreNotPositive) {
  Waves one = {1.0};
  for (const double kinetic : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(),
                               std::numeric_limits<double>::infinity()})
    EXPECT_THROW(precondition(std::vector{1.0}, std::vector{kinetic}, one), NumericsError);
  EXPECT_THROW(precondition(std::vector{1.0}, std::vector{1.0, 2.0}, one), InternalError);
  EXPECT_EQ(one[0], 1.0);
}

}  // namespace
}  // namespace fg::electrons
