// SPDX-License-Identifier: BSD-3-Clause
#include "support/references/ab_initio/ab_initio_references.hpp"

#include <vector>

namespace fg::ab_initio::reference {

namespace {

/// Sum over the share of w Re(a* b).
double inner_product(std::span<const std::complex<double>> a,
                     std::span<const std::complex<double>> b, std::ptrdiff_t zero) noexcept {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum += (static_cast<std::ptrdiff_t>(i) == zero ? 1 : 2) * std::real(std::conj(a[i]) * b[i]);
  return sum;
}

}  // namespace

void overlap_blocks(const std::complex<double>* a, int n_a, const std::complex<double>* b, int n_b,
                    std::size_t waves, std::ptrdiff_t zero, double* overlaps, int stride) noexcept {
  const auto row = [waves](const std::complex<double>* of, int i) {
    return std::span(of + static_cast<std::size_t>(i) * waves, waves);
  };
  for (int i = 0; i < n_a; ++i)
    for (int k = 0; k < n_b; ++k)
      overlaps[i * stride + k] = inner_product(row(a, i), row(b, k), zero);
}

namespace {

using Vector = SearchMemory::Vector;

/// <a|b> of real orbitals on a half sphere.
double inner(const Vector& a, const Vector& b, std::size_t waves, std::ptrdiff_t zero) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum += (static_cast<std::ptrdiff_t>(i % waves) == zero ? 1 : 2) *
           std::real(std::conj(a[i]) * b[i]);
  return sum;
}

Vector preconditioned(Vector a, std::span<const double> below, std::span<const double> squares) {
  for (std::size_t i = 0; i < a.size(); ++i)
    a[i] /= squares[i % squares.size()] / 2 + below[i / squares.size()];
  return a;
}

void add(double factor, const Vector& a, Vector& to) {
  for (std::size_t i = 0; i < a.size(); ++i) to[i] += factor * a[i];
}

}  // namespace

Vector search_direction(std::span<const Pair> pairs, const Vector& gradient,
                        std::span<const double> below, std::span<const double> squares,
                        std::ptrdiff_t zero) {
  const auto product = [&](const Vector& a, const Vector& b) {
    return inner(a, b, squares.size(), zero);
  };
  Vector q = gradient;
  std::vector<double> along;
  for (const auto& [step, change] : pairs) {
    along.push_back(product(step, q) / product(step, change));
    add(-along.back(), change, q);
  }
  Vector r = preconditioned(q, below, squares);
  if (!pairs.empty()) {
    const auto& [step, change] = pairs.front();
    const double scale =
        product(step, change) / product(change, preconditioned(change, below, squares));
    for (auto& x : r) x *= scale;
  }
  for (std::size_t i = pairs.size(); i-- > 0;) {
    const auto& [step, change] = pairs[i];
    add(along[i] - product(change, r) / product(step, change), step, r);
  }
  for (auto& x : r) x = -x;
  return r;
}

}  // namespace fg::ab_initio::reference
