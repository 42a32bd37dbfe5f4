// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <utility>
#include <vector>

#include "electrons/matrices/inverse_square_root.hpp"
#include "electrons/orbitals/velocity_repair.hpp"

namespace fg::electrons::reference {

namespace {

using Matrix = std::vector<double>;

Matrix product(std::size_t n, std::span<const double> a, std::span<const double> b) {
  Matrix c(n * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t m = 0; m < n; ++m) c[i * n + k] += a[i * n + m] * b[m * n + k];
  return c;
}

/// Gauss's elimination with the largest pivot of a column.
/// Source: Golub and Van Loan, Matrix Computations (2013), section 3.4.
void solve(std::size_t size, Matrix& a, Matrix& x) {
  for (std::size_t p = 0; p < size; ++p) {
    std::size_t best = p;
    for (std::size_t i = p + 1; i < size; ++i)
      if (std::abs(a[i * size + p]) > std::abs(a[best * size + p])) best = i;
    for (std::size_t k = 0; k < size; ++k) std::swap(a[p * size + k], a[best * size + k]);
    std::swap(x[p], x[best]);
    for (std::size_t i = p + 1; i < size; ++i) {
      const double factor = a[i * size + p] / a[p * size + p];
      for (std::size_t k = p; k < size; ++k) a[i * size + k] -= factor * a[p * size + k];
      x[i] -= factor * x[p];
    }
  }
  for (std::size_t p = size; p-- > 0;) {
    for (std::size_t k = p + 1; k < size; ++k) x[p] -= a[p * size + k] * x[k];
    x[p] /= a[p * size + p];
  }
}

}  // namespace

std::vector<double> inverse_root_rate(int rows, std::span<const double> s,
                                      std::span<const double> s_rate) {
  const std::size_t n = static_cast<std::size_t>(rows), unknowns = n * n;
  const Matrix t = inverse_square_root(rows, s), r = product(n, s, t);
  Matrix rate = product(n, t, product(n, s_rate, t));
  for (double& entry : rate) entry = -entry;
  // Equation (i, k): the sum over m of T'(i, m) R(m, k) + R(i, m) T'(m, k).
  Matrix equations(unknowns * unknowns);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t m = 0; m < n; ++m) {
        equations[(i * n + k) * unknowns + i * n + m] += r[m * n + k];
        equations[(i * n + k) * unknowns + m * n + k] += r[i * n + m];
      }
  solve(unknowns, equations, rate);
  return rate;
}

}  // namespace fg::electrons::reference
