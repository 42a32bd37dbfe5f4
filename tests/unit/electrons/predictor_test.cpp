// SPDX-License-Identifier: BSD-3-Clause
//
// The predictor's coefficients as published, what they do to a series that is damped or not, and
// the turn of past orbitals.
#include "electrons/orbitals/predictor.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/error.hpp"
#include "support/expect_refused.hpp"
#include "support/random_values.hpp"
#include "support/references/electrons/matrix_references.hpp"

namespace fg::electrons {
namespace {

using Matrix = std::vector<double>;

/// Source: Kolafa, J. Comput. Chem. 25, 335 (2004), the table of coefficients of the predictors
/// with k = 0 to 4, and the corrector's shares 2/3, 3/5, 4/7, 5/9, 6/11.
TEST(Predictor, HasThePublishedCoefficients) {
  const std::vector<std::vector<double>> published{
      {2, -1},
      {5.0 / 2, -2, 1.0 / 2},
      {14.0 / 5, -14.0 / 5, 6.0 / 5, -1.0 / 5},
      {3, -24.0 / 7, 27.0 / 14, -4.0 / 7, 1.0 / 14},
      {22.0 / 7, -55.0 / 14, 55.0 / 21, -22.0 / 21, 5.0 / 21, -1.0 / 42}};
  const std::vector<double> shares{2.0 / 3, 3.0 / 5, 4.0 / 7, 5.0 / 9, 6.0 / 11};
  for (int k = 0; k <= 4; ++k) {
    const auto coefficients = predictor_coefficients(k);
    ASSERT_EQ(coefficients.size(), published[k].size());
    for (std::size_t j = 0; j < coefficients.size(); ++j)
      EXPECT_DOUBLE_EQ(coefficients[j], published[k][j]) << k << " " << j;
    EXPECT_DOUBLE_EQ(corrector_share(k), shares[k]);
  }
  EXPECT_EQ(predictor_coefficients(-1), std::vector{1.0});
}

TEST(Predictor, ContinuesStraightLines) {
  for (int k = 0; k <= largest_predictor_order; ++k) {
    double value = 0, slope = 0;
    const auto coefficients = predictor_coefficients(k);
    for (std::size_t j = 0; j < coefficients.size(); ++j) {
      value += coefficients[j];
      slope -= coefficients[j] * static_cast<double>(j + 1);
    }
    EXPECT_NEAR(value, 1, 1e-13) << k;
    EXPECT_NEAR(slope, 0, 1e-12) << k;
  }
}

/// The largest of a series whose corrector leaves `rest` of the predictor's error (the exact result
/// is 0), and whose corrected value counts with `share`.
double largest_of_series(int order, double rest, double share) {
  const auto coefficients = predictor_coefficients(order);
  std::vector<double> values = test::random_values<double>(coefficients.size(), 2);
  double largest = 0;
  for (int step = 0; step < 300; ++step) {
    double predicted = 0;
    for (std::size_t j = 0; j < coefficients.size(); ++j)
      predicted += coefficients[j] * values[values.size() - 1 - j];
    values.push_back(share * rest * predicted + (1 - share) * predicted);
    largest = std::max(largest, std::abs(values.back()));
  }
  return largest;
}

TEST(Predictor, IsStableWithTheShareOfTheCorrectorAndNotWithoutIt) {
  for (int k = 0; k <= 4; ++k) {
    for (const double rest : {-0.99, -0.5, 0.0, 0.5, 0.9})
      EXPECT_LT(largest_of_series(k, rest, corrector_share(k)), 30) << k << " " << rest;
    EXPECT_GT(largest_of_series(k, -0.5, 1), 1e6) << k;
  }
}

TEST(Predictor, BeginsWithWhatIsKept) {
  EXPECT_EQ(possible_predictor_order(2, 1), -1);
  EXPECT_EQ(possible_predictor_order(2, 2), 0);
  EXPECT_EQ(possible_predictor_order(2, 4), 2);
  EXPECT_EQ(possible_predictor_order(2, 50), 2);
  EXPECT_EQ(possible_predictor_order(-1, 50), -1);
}

TEST(Predictor, RefusesOrdersThatDoNotExist) {
  for (const int order : {-2, 9}) {
    EXPECT_THROW(predictor_coefficients(order), InputError);
    EXPECT_THROW(corrector_share(order), InputError);
  }
}

Matrix turn_of(int n, const Matrix& overlaps) {
  Matrix turn(overlaps.size());
  OrbitalAlignment(n).compute(overlaps, turn);
  return turn;
}

/// The overlaps of n orthonormal past orbitals and of present ones that are those turned by a
/// random orthogonal matrix, but for this part of others.
Matrix nearly_orthogonal(int rows, double others, unsigned seed) {
  const std::size_t n = static_cast<std::size_t>(rows);
  Matrix o = reference::polar_factor(rows, test::random_values<double>(n * n, seed));
  const Matrix noise = test::random_values<double>(n * n, seed + 1);
  for (std::size_t i = 0; i < n * n; ++i) o[i] += others * noise[i];
  return o;
}

TEST(OrbitalAlignment, IsTheTwinAndOrthogonal) {
  for (const int n : {1, 2, 5, 16, 33}) {
    const std::size_t size = static_cast<std::size_t>(n);
    const Matrix overlaps = nearly_orthogonal(n, 0.02, 20);
    const Matrix turn = turn_of(n, overlaps), twin = reference::polar_factor(n, overlaps);
    for (std::size_t i = 0; i < turn.size(); ++i) ASSERT_NEAR(turn[i], twin[i], 1e-13 * n);
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t k = 0; k < size; ++k) {
        double product = 0;
        for (std::size_t m = 0; m < size; ++m) product += turn[m * size + i] * turn[m * size + k];
        ASSERT_NEAR(product, i == k ? 1 : 0, 1e-13 * n);
      }
  }
}

TEST(OrbitalAlignment, UndoesATurnOfOrbitalsAmongThemselves) {
  constexpr int n = 7;
  const Matrix turned = nearly_orthogonal(n, 0, 30), turn = turn_of(n, turned);
  for (std::size_t i = 0; i < turn.size(); ++i) EXPECT_NEAR(turn[i], turned[i], 1e-13);
}

TEST(OrbitalAlignment, RefusesOrbitalsThatHaveNothingInCommon) {
  test::expect_refused<NumericsError>([] { turn_of(2, {1, 0, 0, 0}); }, "is not positive");
  test::expect_refused<NumericsError>(
      [] { turn_of(1, {std::numeric_limits<double>::quiet_NaN()}); }, "is not finite");
  EXPECT_THROW(turn_of(3, Matrix(4)), InternalError);
  EXPECT_THROW(OrbitalAlignment(-1), InputError);
  EXPECT_NO_THROW(turn_of(0, {}));
}

}  // namespace
}  // namespace fg::electrons
