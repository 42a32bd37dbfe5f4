// SPDX-License-Identifier: BSD-3-Clause
//
// Phases by splines along one axis: weights against the recursion, exact places, and how the error
// falls with the order and the wave.
#include "electrons/splines/spline_phase.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.hpp"
#include "forces/mesh/bspline.hpp"
#include "support/electrons/plane_wave_samples.hpp"
#include "support/expect_refused.hpp"
#include "support/references/electrons/spline_references.hpp"

namespace fg::electrons {
namespace {

using test::expect_refused;
using Complex = std::complex<double>;
constexpr double pi = std::numbers::pi;

/// The phase by the weights and factors of the engine.
Complex splined(int order, int points, int k, double multiple) {
  const AxisSpline spline = axis_spline(order, points, multiple);
  Complex sum;
  for (int j = 0; j < order; ++j)
    sum += spline.weights[j] * std::polar(1.0, 2 * pi * k * (spline.first + j) / points);
  return sum * euler_factors(order, points, std::abs(k))[std::abs(k)];
}

TEST(SplinePhase, WeightsAreThoseOfTheRecursion) {
  for (int order = least_spline_order; order <= most_spline_order; ++order)
    for (const double multiple : {0.0, 0.1234, 0.5, 0.77, 0.999999, -3.3}) {
      constexpr int points = 18;
      const AxisSpline spline = axis_spline(order, points, multiple);
      const double u = points * (multiple - std::floor(multiple));
      double sum = 0;
      for (int j = 0; j < order; ++j) {
        const double x = u - (spline.first + j) + 0.5 * order;
        // A few roundings of numbers up to 1, and of places up to 18.
        EXPECT_NEAR(spline.weights[j], bspline(order, x), 1e-14);
        EXPECT_NEAR(spline.slopes[j], bspline(order - 1, x) - bspline(order - 1, x - 1), 1e-13);
        sum += spline.weights[j];
      }
      EXPECT_NEAR(sum, 1, 1e-15 * order);
      // No other point is in reach.
      EXPECT_LE(bspline(order, u - (spline.first - 1) + 0.5 * order), 1e-14);
      EXPECT_LE(bspline(order, u - (spline.first + order) + 0.5 * order), 1e-14);
    }
}

TEST(SplinePhase, AreExactAtPointsAndThoseOfTheTwinBetweenThem) {
  constexpr int points = 20;
  for (int order = least_spline_order; order <= most_spline_order; ++order)
    for (int k = -9; k <= 9; ++k) {
      for (int n = 0; n < points; ++n)
        EXPECT_LE(std::abs(splined(order, points, k, 1.0 * n / points) -
                           std::polar(1.0, 2 * pi * k * n / points)),
                  1e-13);
      for (const double multiple : {0.013, 0.49, 0.9}) {
        const auto right = reference::spline_phase(order, points, k, points * multiple);
        EXPECT_LE(std::abs(splined(order, points, k, multiple) - right.value), 1e-13);
      }
    }
}

/// The largest error between points, at nine places.
double error_of(int order, int points, int k) {
  double most = 0;
  for (int i = 1; i < 10; ++i) {
    const double multiple = 0.1 * i / points;
    most = std::max(most, std::abs(splined(order, points, k, multiple) -
                                   std::polar(1.0, 2 * pi * k * multiple)));
  }
  return most;
}

TEST(SplinePhase, ErrorsFallAsThePowerOfTheWave) {
  // From k to 2 k the error grows by 2^p, but for terms of the next order in k / N, of at most
  // 2 p (k / N)^2 as the formula for 1 / d shows.
  for (int order = least_spline_order; order <= most_spline_order; ++order) {
    const double growth = std::log2(error_of(order, 120, 12) / error_of(order, 120, 6));
    EXPECT_GT(growth, order - 0.2) << order;
    EXPECT_LT(growth, order + 1.2) << order;
  }
}

TEST(SplinePhase, ErrorsAreThoseOfEulerSplines) {
  // The interpolating spline's error is |e(w) - e(0)| with e the sum over aliases: at k = N / 3 the
  // first alias is at -2 N / 3, and the ratio of its weight to that of the wave is 2^-p, which
  // counts at most twice: at the end of half a spacing, 2^-p * 2 / (1 + 2^-p). The second aliases
  // are at 4 / 3: 4^-p.
  for (const int order : {4, 6, 8, 10}) {
    const double first = std::pow(2.0, -order), second = std::pow(4.0, -order);
    EXPECT_NEAR(error_of(order, 90, 30), 2 * first, 2 * first * first + 4 * second) << order;
  }
}

TEST(SplinePhase, FactorsOfWavesAreProducts) {
  const PlaneWaves waves = test::waves_up_to(test::skewed, 2);
  const std::vector<double> factors = euler_factors(waves, {12, 11, 14}, 6);
  ASSERT_EQ(factors.size(), waves.size());
  for (std::size_t i = 0; i < waves.size(); i += 11) {
    const auto [x, y, z] = waves.indices()[i];
    const double right = euler_factors(6, 12, std::abs(x)).back() *
                         euler_factors(6, 11, std::abs(y)).back() *
                         euler_factors(6, 14, std::abs(z)).back();
    EXPECT_NEAR(factors[i], right, 1e-14 * right);
  }
}

TEST(SplinePhase, SlopesOfTheTwinAreThoseOfItsValue) {
  for (const int order : {5, 8})
    for (const double u : {0.3, 7.9}) {
      const auto slope = [&](auto part) {
        return test::sixth_order_slope(
            [&](double step) {
              return part(reference::spline_phase(order, 20, 4, u + step).value);
            },
            0.02);
      };
      const Complex right = reference::spline_phase(order, 20, 4, u).slope;
      // (2 pi 4 / 20 * 0.02)^6 / 140 = 2e-12, and roundings of 1 over 0.02; splines of order 5 are
      // polynomials of degree 4 within a spacing.
      EXPECT_NEAR(slope([](Complex c) { return c.real(); }), right.real(), 1e-11);
      EXPECT_NEAR(slope([](Complex c) { return c.imag(); }), right.imag(), 1e-11);
    }
}

TEST(SplinePhase, RefusesOrdersAndGridsThatCannotBe) {
  const PlaneWaves waves = test::waves_up_to(test::skewed, 2);
  expect_refused<InputError>([&] { euler_factors(waves, {20, 20, 20}, 3); }, "4 to 10");
  expect_refused<InputError>([&] { euler_factors(waves, {20, 20, 20}, 11); }, "4 to 10");
  expect_refused<InputError>([&] { euler_factors(waves, {20, 7, 20}, 8); }, "at least 8");
  expect_refused<InputError>([&] { euler_factors(waves, {20, 20, 4}, 4); }, "too small");
}

}  // namespace
}  // namespace fg::electrons
