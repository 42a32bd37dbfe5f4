// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/block_products.hpp"

#include <algorithm>

#include "electrons/row_products.hpp"

namespace fg::ab_initio {

namespace {

const double* numbers(const std::complex<double>* block) noexcept {
  return reinterpret_cast<const double*>(block);
}

}  // namespace

void overlap_blocks(const std::complex<double>* a, int n_a, const std::complex<double>* b, int n_b,
                    std::size_t waves, std::ptrdiff_t zero, double* overlaps, int stride) noexcept {
  const std::size_t length = 2 * waves;
  for (int i = 0; i < n_a; ++i) std::fill_n(overlaps + i * stride, n_b, 0.0);
  electrons::add_inner_products({numbers(a), static_cast<std::size_t>(n_a), length},
                                {numbers(b), static_cast<std::size_t>(n_b), length}, length,
                                overlaps, static_cast<std::size_t>(stride));
  for (int i = 0; i < n_a; ++i)
    for (int k = 0; k < n_b; ++k) {
      double& overlap = overlaps[i * stride + k];
      overlap *= 2;
      if (zero < 0) continue;
      const auto& x = a[static_cast<std::size_t>(i) * waves + static_cast<std::size_t>(zero)];
      const auto& y = b[static_cast<std::size_t>(k) * waves + static_cast<std::size_t>(zero)];
      overlap -= x.real() * y.real() + x.imag() * y.imag();
    }
}

}  // namespace fg::ab_initio
