// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>

#include "electrons/matrices/inverse_square_root.hpp"

namespace fg::electrons::reference {

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

}  // namespace fg::electrons::reference
