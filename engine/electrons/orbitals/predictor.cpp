// SPDX-License-Identifier: BSD-3-Clause
#include "electrons/orbitals/predictor.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.hpp"
#include "electrons/matrices/blas.hpp"

namespace fg::electrons {

namespace {

void check(int order) {
  if (order < least_predictor_order || order > largest_predictor_order)
    throw InputError({.what = "there is no predictor of this order",
                      .value = std::to_string(order),
                      .limit = std::to_string(least_predictor_order) + " to " +
                               std::to_string(largest_predictor_order),
                      .hint = "0 to 3 are usual"});
}

/// n over k; exact, since all of them here are below 2^53.
double binomial(int n, int k) noexcept {
  double value = 1;
  for (int i = 1; i <= k; ++i) value = value * (n - k + i) / i;
  return value;
}

}  // namespace

std::vector<double> predictor_coefficients(int order) {
  check(order);
  const int k = order;
  std::vector<double> coefficients;
  for (int j = 1; j <= k + 2; ++j)
    coefficients.push_back((j % 2 == 1 ? 1 : -1) * j * binomial(2 * k + 4, k + 2 - j) /
                           binomial(2 * k + 2, k + 1));
  return coefficients;
}

double corrector_share(int order) {
  check(order);
  return (order + 2.0) / (2.0 * order + 3.0);
}

int possible_predictor_order(int order, int kept) noexcept {
  return std::max(least_predictor_order, std::min(order, kept - 2));
}

OrbitalAlignment::OrbitalAlignment(int n)
    : n_(n), size_(static_cast<std::size_t>(n) * n), root_(n), product_(size_), overlaps_(size_) {}

void OrbitalAlignment::compute(std::span<const double> overlaps, std::span<double> turn) {
  FG_CHECK(overlaps.size() == size_ && turn.size() == size_);
  if (n_ == 0) return;
  for (const double entry : overlaps)
    if (!std::isfinite(entry))
      throw NumericsError({.what = "an overlap of orbitals of two steps is not finite",
                           .hint = "a shorter time step may help"});
  using blas::Factor;
  const std::size_t n = static_cast<std::size_t>(n_);
  std::copy(overlaps.begin(), overlaps.end(), overlaps_.begin());
  const Factor o{overlaps_.data(), n};
  blas::multiply(n, n, n, 1, {overlaps_.data(), n, Factor::Reading::transposed}, o, 0,
                 product_.data(), n);
  // Exactly symmetric, whatever the kernel of the product.
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < i; ++k) product_[i * n + k] = product_[k * n + i];
  root_.compute(product_, product_);
  blas::multiply(n, n, n, 1, o, {product_.data(), n}, 0, turn.data(), n);
}

}  // namespace fg::electrons
