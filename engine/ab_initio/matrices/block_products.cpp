// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/matrices/block_products.hpp"

#include <algorithm>

namespace fg::ab_initio {

namespace {

/// Between two calls of the function that the caller gives.
constexpr std::size_t numbers_at_once = 16384;

}  // namespace

void overlap_rows(std::span<const electrons::InnerRow> a, const std::complex<double>* b, int n_b,
                  std::size_t waves, std::ptrdiff_t zero, const std::function<void()>& between) {
  const std::size_t length = 2 * waves, columns = static_cast<std::size_t>(n_b);
  const auto* const right = reinterpret_cast<const double*>(b);
  for (const electrons::InnerRow& row : a) std::fill_n(row.sums, columns, 0.0);
  for (std::size_t first = 0; first < length; first += numbers_at_once) {
    electrons::add_inner_products(a, {right, columns, length}, first,
                                  std::min(first + numbers_at_once, length));
    between();
  }
  for (const electrons::InnerRow& row : a)
    for (std::size_t k = 0; k < columns; ++k) {
      row.sums[k] *= 2;
      if (zero < 0) continue;
      const double* const x = row.row + 2 * zero;
      const double* const y = right + k * length + 2 * static_cast<std::size_t>(zero);
      row.sums[k] -= x[0] * y[0] + x[1] * y[1];
    }
}

}  // namespace fg::ab_initio
