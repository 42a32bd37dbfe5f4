// SPDX-License-Identifier: BSD-3-Clause
//
// S^(-1/2) by products and by eigenvectors: against the twin, its square times S, the same bits on
// every call and in every thread, and matrices that have none.
#include "electrons/matrices/inverse_square_root.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <thread>

#include "base/error.hpp"
#include "support/references/electrons/matrix_references.hpp"

namespace fg::electrons {
namespace {

using Matrix = std::vector<double>;

/// U diag(values) U^T with a random orthogonal U, a product of reflections; exactly symmetric.
Matrix with_eigenvalues(const std::vector<double>& values, unsigned seed) {
  const std::size_t n = values.size();
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Matrix u(n * n), s(n * n);
  for (std::size_t i = 0; i < n; ++i) u[i * n + i] = 1;
  for (int turn = 0; turn < 3; ++turn) {
    std::vector<double> v(n);
    double square = 0;
    for (double& x : v) x = normal(random), square += x * x;
    for (std::size_t i = 0; i < n; ++i) {
      double along = 0;
      for (std::size_t k = 0; k < n; ++k) along += u[i * n + k] * v[k];
      for (std::size_t k = 0; k < n; ++k) u[i * n + k] -= 2 * along / square * v[k];
    }
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k <= i; ++k) {
      for (std::size_t m = 0; m < n; ++m) s[i * n + k] += u[i * n + m] * values[m] * u[k * n + m];
      s[k * n + i] = s[i * n + k];
    }
  return s;
}

/// From low to high, evenly.
std::vector<double> spread(int n, double low, double high) {
  std::vector<double> values(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) values[i] = low + (high - low) * i / std::max(1, n - 1);
  return values;
}

Matrix product(const Matrix& a, const Matrix& b, int rows) {
  const std::size_t n = static_cast<std::size_t>(rows);
  Matrix c(n * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t m = 0; m < n; ++m) c[i * n + m] += a[i * n + k] * b[k * n + m];
  return c;
}

double largest_difference(const Matrix& a, const Matrix& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

Matrix unit(int rows) {
  const std::size_t n = static_cast<std::size_t>(rows);
  Matrix one(n * n);
  for (std::size_t i = 0; i < n; ++i) one[i * n + i] = 1;
  return one;
}

struct Case {
  int n;
  double low, high;
  InverseRootMethod method;
  double error;  // of T S T - I, and of T over its size
};

class InverseRoots : public testing::TestWithParam<Case> {};

TEST_P(InverseRoots, AreThoseOfTheTwinAndGiveTheUnitMatrix) {
  const Case& c = GetParam();
  const Matrix s = with_eigenvalues(spread(c.n, c.low, c.high), 5);
  Matrix t(s.size());
  const InverseRootReport report = InverseSquareRoot(c.n).compute(s, t);
  EXPECT_EQ(report.method, c.method);
  // A bound of the distance, which is 1 - low or high - 1 but for the rounding of entries.
  EXPECT_GE(report.distance, std::max(1 - c.low, c.high - 1) - 1e-14 * c.high);
  EXPECT_LE(largest_difference(product(t, product(s, t, c.n), c.n), unit(c.n)), c.error);
  EXPECT_LE(largest_difference(t, reference::inverse_square_root(c.n, s)),
            c.error / std::sqrt(c.low));
  for (int i = 0; i < c.n; ++i)
    for (int k = 0; k < i; ++k) ASSERT_EQ(t[i * c.n + k], t[k * c.n + i]);
}

constexpr auto newton = InverseRootMethod::newton_schulz;
constexpr auto vectors = InverseRootMethod::eigenvectors;

// 1e-13 near the unit matrix; elsewhere rounding grows with high / low.
INSTANTIATE_TEST_SUITE_P(
    Sizes, InverseRoots,
    testing::Values(Case{1, 0.7, 0.7, newton, 1e-13}, Case{2, 0.9, 1.1, newton, 1e-13},
                    Case{7, 0.9999, 1.0001, newton, 1e-13}, Case{33, 0.98, 1.03, newton, 1e-13},
                    Case{64, 1, 1, newton, 1e-13}, Case{100, 0.999, 1.0, newton, 1e-13},
                    Case{3, 0.3, 1.4, newton, 1e-13}, Case{20, 0.2, 3, vectors, 1e-13},
                    Case{1, 40, 40, vectors, 1e-13}, Case{50, 1e-5, 2, vectors, 1e-9}));

TEST(InverseSquareRoot, TakesThreeProductsNearTheUnitMatrix) {
  // As after a step of the dynamics, where S - I is about 1e-4: one round, then below rounding.
  const Matrix s = with_eigenvalues(spread(40, 0.99995, 1.00005), 6);
  Matrix t(s.size());
  EXPECT_EQ(InverseSquareRoot(40).compute(s, t).products, 3);
  EXPECT_EQ(InverseSquareRoot(40).compute(unit(40), t).products, 0);
  EXPECT_EQ(t, unit(40));
}

TEST(InverseSquareRoot, HasTheSameBitsOnEveryCallAndInPlace) {
  for (const double low : {0.95, 0.001}) {
    const Matrix s = with_eigenvalues(spread(45, low, 1.02), 7);
    InverseSquareRoot root(45);
    Matrix first(s.size()), again(s.size());
    root.compute(s, first);
    Matrix elsewhere(s.size() + 1);  // at another place in memory
    std::copy(s.begin(), s.end(), elsewhere.begin() + 1);
    root.compute(std::span(elsewhere).subspan(1), again);
    EXPECT_EQ(first, again);
    Matrix in_place = s;
    root.compute(in_place, in_place);
    EXPECT_EQ(first, in_place);
  }
}

/// The library of matrices has memory that its callers share.
TEST(InverseSquareRoot, HasTheSameBitsInSeveralThreadsAtOnce) {
  constexpr int threads = 4, times = 20, n = 60;
  for (const double low : {0.95, 0.001}) {
    const Matrix s = with_eigenvalues(spread(n, low, 1.02), 8);
    Matrix right(s.size());
    InverseSquareRoot(n).compute(s, right);
    std::vector<int> wrong(threads);
    std::vector<std::thread> workers;
    for (int w = 0; w < threads; ++w)
      workers.emplace_back([&, w] {
        InverseSquareRoot root(n);
        Matrix t(s.size());
        for (int i = 0; i < times; ++i) {
          root.compute(s, t);
          wrong[w] += t != right;
        }
      });
    for (std::thread& worker : workers) worker.join();
    EXPECT_THAT(wrong, testing::Each(0));
  }
}

TEST(InverseSquareRoot, OfNoRowsIsNothing) {
  EXPECT_NO_THROW(InverseSquareRoot(0).compute({}, {}));
}

void expect_refused(const Matrix& s, int n, const char* because) {
  Matrix t(s.size());
  try {
    InverseSquareRoot(n).compute(s, t);
    ADD_FAILURE() << "accepted; expected: " << because;
  } catch (const NumericsError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr(because));
  }
}

TEST(InverseSquareRoot, RefusesMatricesThatHaveNone) {
  Matrix s = with_eigenvalues(spread(5, 0.9, 1.1), 9);
  s[7] += 1e-9;
  expect_refused(s, 5, "is not symmetric");
  expect_refused(s, 5, "row 2, column 3");
  s[7] = std::numeric_limits<double>::quiet_NaN();
  expect_refused(s, 5, "is not finite");
  expect_refused(with_eigenvalues({1, 1, -0.1, 1}, 9), 4, "is not positive");
  // Two states that are the same.
  expect_refused({1, 1, 0, 1, 1, 0, 0, 0, 1}, 3, "is not positive");
  expect_refused(Matrix(9), 3, "is not positive");
}

TEST(InverseSquareRoot, RefusesSizesThatDoNotFit) {
  Matrix s(9), t(4);
  EXPECT_THROW(InverseSquareRoot(3).compute(s, t), InternalError);
  EXPECT_THROW(InverseSquareRoot(2).compute(s, t), InternalError);
  EXPECT_THROW(InverseSquareRoot(-1), InputError);
}

}  // namespace
}  // namespace fg::electrons
