// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/block_products.hpp"

namespace fg::ab_initio::reference {

double inner_product(std::span<const std::complex<double>> a,
                     std::span<const std::complex<double>> b, std::ptrdiff_t zero) noexcept {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum += (static_cast<std::ptrdiff_t>(i) == zero ? 1 : 2) * std::real(std::conj(a[i]) * b[i]);
  return sum;
}

void overlap_blocks(const std::complex<double>* a, int n_a, const std::complex<double>* b, int n_b,
                    std::size_t waves, std::ptrdiff_t zero, double* overlaps, int stride) noexcept {
  const auto row = [waves](const std::complex<double>* of, int i) {
    return std::span(of + static_cast<std::size_t>(i) * waves, waves);
  };
  for (int i = 0; i < n_a; ++i)
    for (int k = 0; k < n_b; ++k)
      overlaps[i * stride + k] = inner_product(row(a, i), row(b, k), zero);
}

void multiply_block(const std::complex<double>* a, int n_a, const double* matrix, int stride,
                    int n_to, std::size_t waves, bool adds, std::complex<double>* to) noexcept {
  for (int k = 0; k < n_to; ++k)
    for (std::size_t g = 0; g < waves; ++g) {
      std::complex<double>& one = to[static_cast<std::size_t>(k) * waves + g];
      if (!adds) one = 0;
      for (int i = 0; i < n_a; ++i)
        one += matrix[i * stride + k] * a[static_cast<std::size_t>(i) * waves + g];
    }
}

}  // namespace fg::ab_initio::reference
