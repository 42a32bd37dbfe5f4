// SPDX-License-Identifier: BSD-3-Clause
#include "electrons/matrices/inverse_square_root.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.hpp"
#include "electrons/matrices/blas.hpp"
#include "electrons/matrices/symmetric_matrix.hpp"

namespace fg::electrons {

namespace {

/// After a residual r the next round leaves 3/4 r^2, which is then below rounding.
constexpr double last_residual = 1.5e-8;
constexpr int most_rounds = 20;

/// r = I - r.
void unit_less(AlignedVector<double>& r, std::size_t n) {
  for (double& x : r) x = -x;
  for (std::size_t i = 0; i < n; ++i) r[i * n + i] += 1;
}

double frobenius(const AlignedVector<double>& a) {
  double sum = 0;
  for (const double x : a) sum += x * x;
  return std::sqrt(sum);
}

/// Not above the norm of Frobenius nor the largest sum of a row; both bound the 2-norm.
double norm_bound(const AlignedVector<double>& a, std::size_t n) {
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    double row = 0;
    for (std::size_t k = 0; k < n; ++k) row += std::abs(a[i * n + k]);
    largest = std::max(largest, row);
  }
  return std::min(largest, frobenius(a));
}

}  // namespace

InverseSquareRoot::InverseSquareRoot(int n) : n_(n), size_(static_cast<std::size_t>(n) * n) {
  if (n < 0)
    throw InputError({.what = "a matrix cannot have a negative number of rows",
                      .value = std::to_string(n),
                      .hint = "give the number of states"});
  for (AlignedVector<double>* matrix : {&y_, &z_, &r_, &product_}) matrix->resize(size_);
}

InverseRootReport InverseSquareRoot::compute(std::span<const double> s, std::span<double> t) {
  FG_CHECK(s.size() == size_ && t.size() == size_);
  InverseRootReport report;
  check_symmetric(n_, s, "overlap matrix");
  std::copy(s.begin(), s.end(), y_.begin());
  r_ = y_;
  const std::size_t n = static_cast<std::size_t>(n_);
  unit_less(r_, n);
  report.distance = norm_bound(r_, n);
  if (!(report.distance < farthest) || !iterate(report)) {
    report.method = InverseRootMethod::eigenvectors;
    by_eigenvectors(s);
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < n; ++k) t[i * n + k] = 0.5 * (z_[i * n + k] + z_[k * n + i]);
  return report;
}

/// Goes from Y = S and R = I - S to Z = T. False if the residual does not fall, which rounding
/// alone can cause.
bool InverseSquareRoot::iterate(InverseRootReport& report) {
  const std::size_t n = static_cast<std::size_t>(n_);
  double residual = frobenius(r_);
  // The first round, without the products by Z = I.
  for (std::size_t i = 0; i < size_; ++i) z_[i] = 0.5 * r_[i];
  for (std::size_t i = 0; i < n; ++i) z_[i * n + i] += 1;
  for (int round = 0; residual > last_residual; ++round) {
    product_ = y_;
    blas::multiply(n_, 0.5, y_.data(), r_.data(), 1, product_.data());
    y_.swap(product_);
    blas::multiply(n_, 1, z_.data(), y_.data(), 0, r_.data());
    unit_less(r_, n);
    const double before = residual;
    residual = frobenius(r_);
    if (!(residual < before) || round == most_rounds) return false;
    product_ = z_;
    blas::multiply(n_, 0.5, r_.data(), z_.data(), 1, product_.data());
    z_.swap(product_);
    report.products += 3;
  }
  return true;
}

void InverseSquareRoot::by_eigenvectors(std::span<const double> s) {
  const std::size_t n = static_cast<std::size_t>(n_);
  std::copy(s.begin(), s.end(), y_.begin());
  const std::vector<double> values = blas::eigenvectors(n_, y_.data());
  check_positive(values, "overlap matrix");
  // T = W W^T, where the columns of W are eigenvectors over the fourth roots of their eigenvalues.
  for (std::size_t i = 0; i < n; ++i) {
    const double scale = 1 / std::sqrt(std::sqrt(values[i]));
    for (std::size_t k = 0; k < n; ++k) r_[k * n + i] = scale * y_[i * n + k];
  }
  blas::multiply_by_transpose(n_, r_.data(), z_.data());
}

}  // namespace fg::electrons
