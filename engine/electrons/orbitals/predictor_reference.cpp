// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <utility>
#include <vector>

#include "electrons/orbitals/predictor.hpp"

namespace fg::electrons::reference {

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

}  // namespace fg::electrons::reference
