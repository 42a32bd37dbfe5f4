// SPDX-License-Identifier: BSD-3-Clause
//
// B-splines, their moduli, and the constants of an Ewald sum.
#include "forces/mesh/bspline.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "base/error.hpp"
#include "forces/mesh/ewald_constants.hpp"
#include "forces/mesh/mesh_frame.hpp"

namespace fg::test {
namespace {

// A few roundings of numbers below 1.
constexpr double round_off = 1e-14;

TEST(Bspline, KnownValuesAtTheKnots) {
  // M_4 = 1/6, 2/3, 1/6; M_5 = 1/24, 11/24, 11/24, 1/24 (de Boor, A Practical Guide to Splines).
  EXPECT_NEAR(bspline(4, 1), 1.0 / 6, round_off);
  EXPECT_NEAR(bspline(4, 2), 2.0 / 3, round_off);
  EXPECT_NEAR(bspline(5, 2), 11.0 / 24, round_off);
  EXPECT_EQ(bspline(4, 0), 0);
  EXPECT_EQ(bspline(4, 4), 0);
}

TEST(Bspline, WeightsSumToOneAndSlopesToZero) {
  for (int order : {4, 5, 6, 8})
    for (double w : {0.0, 0.125, 0.5, 0.999}) {
      std::array<double, max_spline_order> weight, slope;
      bspline_weights(order, w, weight, slope);
      double sum = 0, slopes = 0, first = 0;
      for (int j = 0; j < order; ++j) {
        sum += weight[j], slopes += slope[j];
        first += weight[j] * (j - w);
      }
      EXPECT_NEAR(sum, 1, round_off);
      EXPECT_NEAR(slopes, 0, round_off);
      // The centre of the weights follows the atom: order/2 - 1 points above it for any w.
      EXPECT_NEAR(first, order / 2.0 - 1, 8 * round_off);
    }
}

TEST(Bspline, SlopesAreDerivatives) {
  const double h = 1e-5;
  for (int order : {4, 5, 6, 8}) {
    std::array<double, max_spline_order> ahead, behind, weight, slope, unused;
    bspline_weights(order, 0.3 + h, ahead, unused);
    bspline_weights(order, 0.3 - h, behind, unused);
    bspline_weights(order, 0.3, weight, slope);
    // Central difference: h^2 times third derivatives of order 1, and 1e-16 / h of rounding.
    for (int j = 0; j < order; ++j) EXPECT_NEAR(slope[j], (ahead[j] - behind[j]) / (2 * h), 1e-9);
  }
}

TEST(Bspline, ModuliOfOrderFour) {
  // |1/6 + 2/3 e^{ia} + 1/6 e^{2ia}|^2 = (2/3 + 1/3 cos a)^2
  const auto moduli = bspline_moduli(4, 16);
  for (int m = 0; m < 16; ++m) {
    const double expected = 2.0 / 3 + std::cos(2 * std::numbers::pi * m / 16) / 3;
    EXPECT_NEAR(moduli[m], expected * expected, round_off);
  }
}

TEST(Bspline, OddOrdersGetTheMeanOfTheNeighboursWhereTheyVanish) {
  const auto moduli = bspline_moduli(5, 16);
  EXPECT_DOUBLE_EQ(moduli[8], (moduli[7] + moduli[9]) / 2);
  EXPECT_GT(moduli[8], 1e-7);
}

TEST(EwaldConstantsTest, SelfAndBackground) {
  const std::array<double, 2> charges{1.0, -0.5};
  const auto constants = ewald_constants(charges, 0.3);
  EXPECT_NEAR(constants.self, -0.3 / std::sqrt(std::numbers::pi) * 1.25, round_off);
  EXPECT_NEAR(constants.background_in(Box{{10, 20, 5}}),
              -std::numbers::pi * 0.25 / (2 * 1000 * 0.09), round_off);
}

TEST(MeshSettingsTest, RefusesWhatCannotBe) {
  const MeshSettings good{.box = {{20, 20, 20}}, .mesh = {16, 16, 16}, .order = 4, .alpha = 0.2};
  EXPECT_NO_THROW(check_mesh(good));
  MeshSettings bad = good;
  bad.order = 7;
  EXPECT_THROW(check_mesh(bad), InputError);
  bad = good, bad.alpha = 0;
  EXPECT_THROW(check_mesh(bad), InputError);
  bad = good, bad.mesh[1] = 3;
  EXPECT_THROW(check_mesh(bad), InputError);
}

}  // namespace
}  // namespace fg::test
