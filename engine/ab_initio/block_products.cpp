// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/block_products.hpp"

#include "electrons/blas.hpp"
#include "electrons/parts_of_sum.hpp"

namespace fg::ab_initio {

namespace {

namespace blas = electrons::blas;
using Reading = blas::Factor::Reading;

const double* numbers(const std::complex<double>* block) noexcept {
  return reinterpret_cast<const double*>(block);
}

}  // namespace

double inner_product(std::span<const std::complex<double>> a,
                     std::span<const std::complex<double>> b, std::ptrdiff_t zero) noexcept {
  const double* const x = numbers(a.data());
  const double* const y = numbers(b.data());
  double sum =
      2 * electrons::sum_in_parts(2 * a.size(), [&](std::size_t i) { return x[i] * y[i]; });
  if (zero >= 0) sum -= x[2 * zero] * y[2 * zero] + x[2 * zero + 1] * y[2 * zero + 1];
  return sum;
}

void overlap_blocks(const std::complex<double>* a, int n_a, const std::complex<double>* b, int n_b,
                    std::size_t waves, std::ptrdiff_t zero, double* overlaps, int stride) {
  const std::size_t length = 2 * waves;
  const auto rows = static_cast<std::size_t>(n_a), columns = static_cast<std::size_t>(n_b);
  blas::multiply(rows, columns, length, 2, {numbers(a), length},
                 {numbers(b), length, Reading::transposed}, 0, overlaps,
                 static_cast<std::size_t>(stride));
  if (zero < 0) return;
  for (int i = 0; i < n_a; ++i)
    for (int k = 0; k < n_b; ++k) {
      const auto& x = a[static_cast<std::size_t>(i) * waves + static_cast<std::size_t>(zero)];
      const auto& y = b[static_cast<std::size_t>(k) * waves + static_cast<std::size_t>(zero)];
      overlaps[i * stride + k] -= x.real() * y.real() + x.imag() * y.imag();
    }
}

void multiply_block(const std::complex<double>* a, int n_a, const double* matrix, int stride,
                    int n_to, std::size_t waves, bool adds, std::complex<double>* to) {
  const std::size_t length = 2 * waves;
  blas::multiply(static_cast<std::size_t>(n_to), length, static_cast<std::size_t>(n_a), 1,
                 {matrix, static_cast<std::size_t>(stride), Reading::transposed},
                 {numbers(a), length}, adds ? 1.0 : 0.0, reinterpret_cast<double*>(to), length);
}

}  // namespace fg::ab_initio
