// SPDX-License-Identifier: BSD-3-Clause
//
// The step in the kinetic energy that makes an effective cutoff.
#include "electrons/waves/effective_cutoff.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "support/references/electrons/wave_references.hpp"

namespace fg::electrons {
namespace {

// 60 Ry high, at 30 Ry, 5 Ry wide.
constexpr EffectiveCutoff step{.energy = 15, .height = 30, .width = 2.5};

TEST(EffectiveCutoff, IsTheIntegralOfItsSlope) {
  for (const double square : {0.0, 10.0, 25.0, 29.0, 30.0, 33.0, 50.0, 80.0})
    // Simpson's rule: h^4 / 180 times the fourth derivative, 1e2, times 80, with h = 0.01.
    EXPECT_NEAR(step.square(square), reference::effective_square(step, square, 4000), 1e-6);
}

TEST(EffectiveCutoff, HasNoEffectBelowTheStepAndItsWholeHeightAbove) {
  EXPECT_NEAR(step.square(10.0), 10.0, 1e-6);  // erf(-4) + 1 is 1.5e-8, times 60
  EXPECT_DOUBLE_EQ(step.square(30.0), 30.0 + 60);
  EXPECT_DOUBLE_EQ(step.square(100.0), 100.0 + 120);
  EXPECT_DOUBLE_EQ(step.slope(100.0), 1);
  // 2 A / (sigma sqrt(pi)) = 24 / 1.7724538509055159.
  EXPECT_DOUBLE_EQ(step.slope(30.0), 1 + 13.540550005146150);
}

TEST(EffectiveCutoff, OfManyWavesIsThatOfEach) {
  const std::vector<double> squares{0.5, 29.0, 31.0};
  const auto all = step.squares(squares), slopes = step.slopes(squares);
  for (std::size_t i = 0; i < squares.size(); ++i) {
    EXPECT_EQ(all[i], step.square(squares[i]));
    EXPECT_EQ(slopes[i], step.slope(squares[i]));
  }
}

}  // namespace
}  // namespace fg::electrons
