// SPDX-License-Identifier: BSD-3-Clause
#include "support/references/electrons/matrix_references.hpp"

#include <cmath>
#include <utility>

namespace fg::electrons::reference {

void add_squares(const std::complex<double>* points, std::size_t count, double* sums) noexcept {
  for (std::size_t i = 0; i < count; ++i) sums[i] += std::norm(points[i]);
}

void multiply_points(const double* factors, std::size_t count,
                     std::complex<double>* points) noexcept {
  for (std::size_t i = 0; i < count; ++i) points[i] *= factors[i];
}

void add_inner_products(const Rows& a, const Rows& b, std::size_t length, double* sums,
                        std::size_t stride) noexcept {
  for (std::size_t i = 0; i < a.count; ++i)
    for (std::size_t k = 0; k < b.count; ++k)
      for (std::size_t x = 0; x < length; ++x)
        sums[i * stride + k] += a.data[i * a.stride + x] * b.data[k * b.stride + x];
}

void combine_rows(std::span<const double* const> from, const Weights& weights, std::size_t length,
                  Sum sum, double* to, std::size_t to_stride) noexcept {
  for (std::size_t k = 0; k < weights.count; ++k)
    for (std::size_t x = 0; x < length; ++x) {
      double one = 0;
      for (std::size_t i = 0; i < from.size(); ++i)
        one += weights.scale * weights.data[i * weights.stride + k] * from[i][x];
      double& result = to[k * to_stride + x];
      result = sum == Sum::adds ? result + one : one;
    }
}

namespace {

/// Turns rows and columns p and q of `a` so that its entry (p, q) becomes 0, and the rows of `u`.
/// Source: Golub and Van Loan, Matrix Computations (2013), section 8.5.2.
void rotate(std::size_t n, std::vector<double>& a, std::vector<double>& u, std::size_t p,
            std::size_t q) {
  if (a[p * n + q] == 0) return;
  const double tau = (a[q * n + q] - a[p * n + p]) / (2 * a[p * n + q]);
  const double t = (tau >= 0 ? 1 : -1) / (std::abs(tau) + std::sqrt(1 + tau * tau));
  const double c = 1 / std::sqrt(1 + t * t), s = t * c;
  const auto turn = [&](double& x, double& y) {
    const double old = x;
    x = c * old - s * y;
    y = s * old + c * y;
  };
  for (std::size_t k = 0; k < n; ++k) turn(a[k * n + p], a[k * n + q]);
  for (std::size_t k = 0; k < n; ++k) turn(a[p * n + k], a[q * n + k]);
  for (std::size_t k = 0; k < n; ++k) turn(u[p * n + k], u[q * n + k]);
}

}  // namespace

std::vector<double> inverse_square_root(int n, std::span<const double> s) {
  const std::size_t rows = static_cast<std::size_t>(n);
  std::vector<double> a(s.begin(), s.end()), u(rows * rows), t(rows * rows);
  for (std::size_t i = 0; i < rows; ++i) u[i * rows + i] = 1;
  // The sum of squares beside the diagonal falls quadratically at the end; 30 sweeps are plenty.
  for (int sweep = 0; sweep < 30; ++sweep)
    for (std::size_t p = 0; p < rows; ++p)
      for (std::size_t q = p + 1; q < rows; ++q) rotate(rows, a, u, p, q);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t k = 0; k < rows; ++k)
      for (std::size_t m = 0; m < rows; ++m)
        t[i * rows + k] += u[m * rows + i] * u[m * rows + k] / std::sqrt(a[m * rows + m]);
  return t;
}

namespace {

using Matrix = std::vector<double>;

/// The unknowns d of d G + G^T d = right, by Gauss's elimination with the largest pivots.
Matrix solve(std::size_t n, const Matrix& g, const Matrix& right) {
  const std::size_t size = n * n, width = size + 1;
  std::vector<double> rows(size * width);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < n; ++k) {
      double* const row = rows.data() + (i * n + k) * width;
      for (std::size_t l = 0; l < n; ++l) {
        row[i * n + l] += g[l * n + k];
        row[l * n + k] += g[l * n + i];
      }
      row[size] = right[i * n + k];
    }
  for (std::size_t pivot = 0; pivot < size; ++pivot) {
    std::size_t best = pivot;
    for (std::size_t row = pivot; row < size; ++row)
      if (std::abs(rows[row * width + pivot]) > std::abs(rows[best * width + pivot])) best = row;
    for (std::size_t i = 0; i < width; ++i)
      std::swap(rows[pivot * width + i], rows[best * width + i]);
    for (std::size_t row = 0; row < size; ++row) {
      if (row == pivot) continue;
      const double factor = rows[row * width + pivot] / rows[pivot * width + pivot];
      for (std::size_t i = pivot; i < width; ++i)
        rows[row * width + i] -= factor * rows[pivot * width + i];
    }
  }
  Matrix solution(size);
  for (std::size_t i = 0; i < size; ++i) solution[i] = rows[i * width + size] / rows[i * width + i];
  return solution;
}

}  // namespace

std::vector<double> constraint_forces(int n, std::span<const double> a, std::span<const double> b,
                                      std::span<const double> c) {
  const auto rows = static_cast<std::size_t>(n);
  Matrix x(rows * rows);
  constexpr int rounds = 30;  // of Newton's method, which squares the error
  for (int round = 0; round < rounds; ++round) {
    Matrix g(b.begin(), b.end()), right(rows * rows);
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t k = 0; k < rows; ++k)
        for (std::size_t l = 0; l < rows; ++l) g[i * rows + k] += c[i * rows + l] * x[l * rows + k];
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t k = 0; k < rows; ++k) {
        double residual = a[i * rows + k] - (i == k ? 1 : 0);
        for (std::size_t l = 0; l < rows; ++l)
          residual += x[i * rows + l] * (b[l * rows + k] + g[l * rows + k]) / 2 +
                      x[k * rows + l] * (b[l * rows + i] + g[l * rows + i]) / 2;
        right[i * rows + k] = -residual;
      }
    const Matrix change = solve(rows, g, right);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += change[i];
  }
  return x;
}

double constrained_kinetic_part(int n, std::span<const double> overlaps,
                                std::span<const double> m) {
  const auto rows = static_cast<std::size_t>(n);
  Matrix right(rows * rows);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t k = 0; k < rows; ++k)
      right[i * rows + k] = -overlaps[i * rows + k] - overlaps[k * rows + i];
  const Matrix y = solve(rows, Matrix(m.begin(), m.end()), right);
  double trace = 0;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t k = 0; k < rows; ++k)
      for (std::size_t l = 0; l < rows; ++l)
        trace += y[i * rows + k] * m[k * rows + l] * y[l * rows + i];
  return trace;
}

namespace {

/// The method of Gauss and Jordan, with the largest pivot of a column.
/// Source: Higham, Accuracy and Stability of Numerical Algorithms (2002), section 14.4.
std::vector<double> inverse(std::size_t n, std::vector<double> a) {
  std::vector<double> b(n * n);
  for (std::size_t i = 0; i < n; ++i) b[i * n + i] = 1;
  for (std::size_t p = 0; p < n; ++p) {
    std::size_t best = p;
    for (std::size_t i = p + 1; i < n; ++i)
      if (std::abs(a[i * n + p]) > std::abs(a[best * n + p])) best = i;
    const double pivot = a[best * n + p];
    for (std::size_t k = 0; k < n; ++k) {
      std::swap(a[p * n + k], a[best * n + k]);
      std::swap(b[p * n + k], b[best * n + k]);
      a[p * n + k] /= pivot;
      b[p * n + k] /= pivot;
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (i == p) continue;
      const double factor = a[i * n + p];
      for (std::size_t k = 0; k < n; ++k) {
        a[i * n + k] -= factor * a[p * n + k];
        b[i * n + k] -= factor * b[p * n + k];
      }
    }
  }
  return b;
}

}  // namespace

/// Newton's iteration. Source: Higham, Functions of Matrices (2008), chapter 8.
std::vector<double> polar_factor(int rows, std::span<const double> overlaps) {
  const std::size_t n = static_cast<std::size_t>(rows);
  std::vector<double> x(overlaps.begin(), overlaps.end());
  // Each round halves a singular value that is far from 1, and then squares its distance from 1.
  for (int round = 0; round < 60; ++round) {
    const std::vector<double> y = inverse(n, x);
    std::vector<double> next(n * n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < n; ++k) next[i * n + k] = 0.5 * (x[i * n + k] + y[k * n + i]);
    x = std::move(next);
  }
  return x;
}

namespace {

Matrix product(std::size_t n, std::span<const double> a, std::span<const double> b) {
  Matrix c(n * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t m = 0; m < n; ++m) c[i * n + k] += a[i * n + m] * b[m * n + k];
  return c;
}

}  // namespace

std::vector<double> inverse_root_rate(int rows, std::span<const double> s,
                                      std::span<const double> s_rate) {
  const std::size_t n = static_cast<std::size_t>(rows);
  const Matrix t = inverse_square_root(rows, s), r = product(n, s, t);
  Matrix rate = product(n, t, product(n, s_rate, t));
  for (double& entry : rate) entry = -entry;
  return solve(n, r, rate);  // R is symmetric
}

}  // namespace fg::electrons::reference
