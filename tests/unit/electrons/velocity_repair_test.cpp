// SPDX-License-Identifier: BSD-3-Clause
//
// The rate of S^(-1/2): against the twin, against differences of the root itself, with equal
// eigenvalues, and as the repair of velocities it is for.
#include "electrons/orbitals/velocity_repair.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/error.hpp"
#include "electrons/matrices/inverse_square_root.hpp"
#include "support/expect_refused.hpp"
#include "support/random_values.hpp"
#include "support/references/electrons/matrix_references.hpp"

namespace fg::electrons {
namespace {

using Matrix = std::vector<double>;

/// a^T b of matrices with `rows` rows.
Matrix products(const Matrix& a, const Matrix& b, std::size_t rows) {
  const std::size_t n = a.size() / rows;
  Matrix c(n * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t m = 0; m < rows; ++m) c[i * n + k] += a[m * n + i] * b[m * n + k];
  return c;
}

Matrix symmetric(int rows, unsigned seed) {
  const std::size_t n = static_cast<std::size_t>(rows);
  Matrix s = test::random_values<double>(n * n, seed);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < i; ++k) s[i * n + k] = s[k * n + i];
  return s;
}

/// I + size times a random symmetric matrix.
Matrix near_unit(int n, double size, unsigned seed) {
  Matrix s = symmetric(n, seed);
  for (double& entry : s) entry *= size;
  for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i)
    s[i * static_cast<std::size_t>(n) + i] += 1;
  return s;
}

double largest_difference(const Matrix& a, const Matrix& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

Matrix rate_of_root(int n, const Matrix& s, const Matrix& s_rate) {
  Matrix rate(s.size());
  VelocityRepair(n).compute(s, s_rate, rate);
  return rate;
}

TEST(VelocityRepair, IsTheTwin) {
  for (const int n : {1, 2, 3, 6, 11}) {
    const Matrix s = near_unit(n, 0.1 / n, 5), s_rate = symmetric(n, 6);
    // Entries are of size 1, eigenvalues of S between 0.7 and 1.3.
    EXPECT_LE(
        largest_difference(rate_of_root(n, s, s_rate), reference::inverse_root_rate(n, s, s_rate)),
        1e-13 * n)
        << n;
  }
}

TEST(VelocityRepair, IsTheDerivativeOfTheRoot) {
  constexpr int n = 9;
  const Matrix s = near_unit(n, 0.02, 7), s_rate = symmetric(n, 8);
  // Differences over 4 points: an error of h^4 / 30 times the fifth derivative, which is about 2e5,
  // and 1e-15 / h of rounding.
  constexpr double h = 2e-4;
  const auto root = [&](double time) {
    Matrix at(s), t(s.size());
    for (std::size_t i = 0; i < s.size(); ++i) at[i] += time * s_rate[i];
    InverseSquareRoot(n).compute(at, t);
    return t;
  };
  const Matrix far_before = root(-2 * h), before = root(-h), after = root(h),
               far_after = root(2 * h);
  Matrix difference(s.size());
  for (std::size_t i = 0; i < s.size(); ++i)
    difference[i] = (8 * (after[i] - before[i]) - (far_after[i] - far_before[i])) / (12 * h);
  EXPECT_LE(largest_difference(rate_of_root(n, s, s_rate), difference), 1e-9);
}

TEST(VelocityRepair, OfEqualEigenvaluesIsTheLimit) {
  constexpr int n = 5;
  // S = l I has T' = -l^(-3/2) S' / 2.
  const Matrix s_rate = symmetric(n, 9);
  for (const double l : {1.0, 0.25, 1.7}) {
    Matrix s(s_rate.size()), expected(s_rate);
    for (std::size_t i = 0; i < n; ++i) s[i * n + i] = l;
    for (double& entry : expected) entry *= -0.5 / (l * std::sqrt(l));
    // Rounding of entries up to 12.
    EXPECT_LE(largest_difference(rate_of_root(n, s, s_rate), expected), 1e-14 * 24);
  }
}

/// psi = chi T stays orthonormal: <psi'|psi> + <psi|psi'> = 0, and psi' is the derivative of psi.
TEST(VelocityRepair, GivesVelocitiesOfOrthonormalOrbitals) {
  constexpr std::size_t waves = 23, n = 4;
  Matrix chi = test::random_values<double>(waves * n, 10);
  const Matrix chi_rate = test::random_values<double>(waves * n, 11);
  const Matrix s = products(chi, chi, waves);
  Matrix s_rate = products(chi_rate, chi, waves);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k <= i; ++k)
      s_rate[i * n + k] = s_rate[k * n + i] = s_rate[i * n + k] + s_rate[k * n + i];
  Matrix t(n * n);
  InverseSquareRoot(n).compute(s, t);
  const Matrix t_rate = rate_of_root(n, s, s_rate);
  Matrix psi(waves * n), psi_rate(waves * n);
  for (std::size_t g = 0; g < waves; ++g)
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t i = 0; i < n; ++i) {
        psi[g * n + k] += chi[g * n + i] * t[i * n + k];
        psi_rate[g * n + k] +=
            chi_rate[g * n + i] * t[i * n + k] + chi[g * n + i] * t_rate[i * n + k];
      }
  const Matrix overlap_rate = products(psi_rate, psi, waves);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < n; ++k)
      EXPECT_NEAR(overlap_rate[i * n + k] + overlap_rate[k * n + i], 0, 1e-13) << i << " " << k;
}

TEST(VelocityRepair, HasTheSameBitsInPlaceAndIsSymmetric) {
  constexpr int n = 12;
  const Matrix s = near_unit(n, 0.02, 12), s_rate = symmetric(n, 13);
  const Matrix rate = rate_of_root(n, s, s_rate);
  Matrix in_place = s_rate;
  VelocityRepair repair(n);
  repair.compute(s, in_place, in_place);
  EXPECT_EQ(in_place, rate);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < i; ++k) ASSERT_EQ(rate[i * n + k], rate[k * n + i]);
}

TEST(VelocityRepair, RefusesMatricesThatHaveNone) {
  const auto refuse = [](const Matrix& s, const Matrix& s_rate, const char* because) {
    test::expect_refused<NumericsError>([&] { rate_of_root(2, s, s_rate); }, because);
  };
  const Matrix unit{1, 0, 0, 1};
  refuse({1, 1, 1, 1}, unit, "overlap matrix is not positive");
  refuse({1, 0.1, 0, 1}, unit, "the overlap matrix is not symmetric");
  refuse(unit, {1, 0.1, 0, 1}, "rate of the overlap matrix is not symmetric");
  refuse(unit, {1, 0, 0, std::numeric_limits<double>::infinity()}, "is not finite");
  EXPECT_THROW(rate_of_root(3, unit, unit), InternalError);
  EXPECT_THROW(VelocityRepair(-1), InputError);
  EXPECT_NO_THROW(rate_of_root(0, {}, {}));
}

}  // namespace
}  // namespace fg::electrons
