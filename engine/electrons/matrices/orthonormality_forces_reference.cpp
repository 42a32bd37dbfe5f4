// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <utility>

#include "electrons/matrices/orthonormality_forces.hpp"

namespace fg::electrons::reference {

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

}  // namespace fg::electrons::reference
