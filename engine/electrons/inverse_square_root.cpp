// SPDX-License-Identifier: BSD-3-Clause
#include "electrons/inverse_square_root.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "base/error.hpp"
#include "base/shown.hpp"
#include "electrons/blas.hpp"

namespace fg::electrons {

namespace {

/// After a residual r the next round leaves 3/4 r^2, which is then below rounding.
constexpr double last_residual = 1.5e-8;
constexpr int most_rounds = 20;

std::string entry(std::size_t i, std::size_t k) {
  return "row " + std::to_string(i + 1) + ", column " + std::to_string(k + 1);
}

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
  check(s);
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

void InverseSquareRoot::check(std::span<const double> s) const {
  const std::size_t n = static_cast<std::size_t>(n_);
  double largest = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    if (!std::isfinite(s[i]))
      throw NumericsError({.what = "an entry of the overlap matrix is not finite",
                           .where = entry(i / n, i % n),
                           .hint = "a shorter time step may help"});
    largest = std::max(largest, std::abs(s[i]));
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = i + 1; k < n; ++k) {
      const double difference = std::abs(s[i * n + k] - s[k * n + i]);
      if (difference > asymmetry * largest)
        throw NumericsError({.what = "the overlap matrix is not symmetric",
                             .where = entry(i, k),
                             .value = "difference " + shown(difference),
                             .limit = "1e-10 of the largest entry",
                             .hint = "this is a defect of the program that made the matrix"});
    }
}

/// From Y = S and R = I - S to Z = T. False if the residual does not fall, which rounding alone can
/// cause.
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
  const double least = n_ * std::numeric_limits<double>::epsilon() * values.back();
  if (!(values.front() > least))
    throw NumericsError({.what = "the overlap matrix is not positive: states depend on each other",
                         .value = "smallest eigenvalue " + shown(values.front()),
                         .limit = "above " + shown(least),
                         .hint = "start from other states, or use a shorter time step"});
  // T = W W^T, where the columns of W are eigenvectors over the fourth roots of their eigenvalues.
  for (std::size_t i = 0; i < n; ++i) {
    const double scale = 1 / std::sqrt(std::sqrt(values[i]));
    for (std::size_t k = 0; k < n; ++k) r_[k * n + i] = scale * y_[i * n + k];
  }
  blas::multiply_by_transpose(n_, r_.data(), z_.data());
}

}  // namespace fg::electrons
