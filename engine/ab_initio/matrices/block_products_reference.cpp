// SPDX-License-Identifier: BSD-3-Clause
#include <span>

#include "ab_initio/matrices/block_products.hpp"

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

}  // namespace fg::ab_initio::reference
