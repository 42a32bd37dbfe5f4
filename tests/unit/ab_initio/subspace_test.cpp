// SPDX-License-Identifier: BSD-3-Clause
//
// The lowest orbitals in a space of atomic ones: overlaps and energies are made from known
// eigenvalues, S = L L^T and H = L Q D Q^T L^T, and the results must have the lowest of them.
#include "ab_initio/division/subspace.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <vector>

#include "base/error.hpp"

namespace fg::test {
namespace {

using ab_initio::Subspace;

/// A square matrix by rows.
struct Matrix {
  explicit Matrix(int n) : size(n), values(static_cast<std::size_t>(n) * n) {}
  double& at(int row, int column) {
    return values[static_cast<std::size_t>(row) * size + static_cast<std::size_t>(column)];
  }
  double at(int row, int column) const {
    return values[static_cast<std::size_t>(row) * size + static_cast<std::size_t>(column)];
  }
  std::size_t size;
  std::vector<double> values;
};

Matrix product(const Matrix& a, const Matrix& b, bool b_transposed = false) {
  const int n = static_cast<int>(a.size);
  Matrix c(n);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j)
        c.at(i, k) += a.at(i, j) * (b_transposed ? b.at(k, j) : b.at(j, k));
  return c;
}

constexpr int count = 5;  // atomic orbitals
const std::vector<double> energies{0.7, -1.3, 2.0, -0.4, 1.1};

/// Lower triangular, so L L^T is positive.
Matrix lower() {
  Matrix l(count);
  for (int i = 0; i < count; ++i)
    for (int k = 0; k <= i; ++k) l.at(i, k) = i == k ? 1.0 + 0.1 * i : 0.2 * std::sin(3.0 * i + k);
  return l;
}

/// Orthogonal: the sines of a chain.
Matrix sines() {
  Matrix q(count);
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < count; ++k)
      q.at(i, k) = std::sqrt(2.0 / (count + 1)) *
                   std::sin((i + 1) * (k + 1) * std::numbers::pi / (count + 1));
  return q;
}

Matrix overlap() {
  return product(lower(), lower(), true);
}

Matrix hamiltonian() {
  const Matrix vectors = product(lower(), sines());
  Matrix scaled = vectors;
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < count; ++k) scaled.at(i, k) *= energies[static_cast<std::size_t>(k)];
  return product(scaled, vectors, true);
}

/// The products of two sets of n. What has no atomic orbital is not a number: it must not be read.
std::vector<double> block(const Matrix& whole, int n, int set, int other) {
  std::vector<double> part;
  for (int i = set * n; i < (set + 1) * n; ++i)
    for (int k = other * n; k < (other + 1) * n; ++k)
      part.push_back(i < count && k < count ? whole.at(i, k)
                                            : std::numeric_limits<double>::quiet_NaN());
  return part;
}

void add_all(Subspace& subspace, int n, const Matrix& s, const Matrix& h) {
  for (int set = 0; set < subspace.sets(); ++set)
    for (int other = set; other < subspace.sets(); ++other)
      subspace.add(set, other, block(s, n, set, other), block(h, n, set, other));
}

/// C^T M C of the coefficients [count][n].
std::vector<double> between(const std::vector<double>& c, const Matrix& m, int n) {
  std::vector<double> all;
  for (int a = 0; a < n; ++a)
    for (int b = 0; b < n; ++b) {
      double sum = 0;
      for (int i = 0; i < count; ++i)
        for (int k = 0; k < count; ++k)
          sum += c[static_cast<std::size_t>(i * n + a)] * m.at(i, k) *
                 c[static_cast<std::size_t>(k * n + b)];
      all.push_back(sum);
    }
  return all;
}

TEST(Subspace, HasTheLowestOrbitals) {
  const std::vector<double> lowest{-1.3, -0.4, 0.7, 1.1, 2.0};
  for (const int n : {1, 2, 3, 5}) {
    Subspace subspace(n, count);
    EXPECT_EQ(subspace.sets(), (count + n - 1) / n);
    add_all(subspace, n, overlap(), hamiltonian());
    std::vector<double> c;
    for (int set = 0; set < subspace.sets(); ++set)
      for (const double value : subspace.orbitals(set)) c.push_back(value);
    // Nothing of the random orbitals behind the last atomic one.
    for (std::size_t i = static_cast<std::size_t>(count * n); i < c.size(); ++i) EXPECT_EQ(c[i], 0);
    const std::vector<double> norms = between(c, overlap(), n), h = between(c, hamiltonian(), n);
    for (int a = 0; a < n; ++a)
      for (int b = 0; b < n; ++b) {
        const auto at = static_cast<std::size_t>(a * n + b);
        EXPECT_NEAR(norms[at], a == b ? 1 : 0, 1e-13);
        EXPECT_NEAR(h[at], a == b ? lowest[static_cast<std::size_t>(a)] : 0, 1e-12);
      }
  }
}

/// Two atomic orbitals that are the same count as one.
TEST(Subspace, LeavesOutWhatDependsOnOthers) {
  Matrix s = overlap(), h = hamiltonian();
  for (Matrix* m : {&s, &h}) {
    for (int i = 0; i < count; ++i) m->at(i, 4) = m->at(i, 3);
    for (int i = 0; i < count; ++i) m->at(4, i) = m->at(3, i);
  }
  Subspace four(4, count);
  add_all(four, 4, s, h);
  std::vector<double> c = four.orbitals(0);
  for (const double value : four.orbitals(1)) c.push_back(value);
  const std::vector<double> norms = between(c, s, 4);
  for (int a = 0; a < 4; ++a)
    for (int b = 0; b < 4; ++b)
      EXPECT_NEAR(norms[static_cast<std::size_t>(4 * a + b)], a == b ? 1 : 0, 1e-12);
  Subspace five(5, count);
  add_all(five, 5, s, h);
  EXPECT_THROW(five.orbitals(0), NumericsError);
}

/// Fewer atomic orbitals than orbitals: random ones count.
TEST(Subspace, TakesRandomOrbitalsIfThereAreTooFewAtomicOnes) {
  Subspace subspace(count, 3);
  EXPECT_EQ(subspace.sets(), 1);
  add_all(subspace, count, overlap(), hamiltonian());
  const std::vector<double> h = between(subspace.orbitals(0), hamiltonian(), count);
  for (int a = 0; a + 1 < count; ++a)
    EXPECT_LT(h[static_cast<std::size_t>(a * (count + 1))],
              h[static_cast<std::size_t>((a + 1) * (count + 1))]);
}

}  // namespace
}  // namespace fg::test
