// SPDX-License-Identifier: BSD-3-Clause
#include "electrons/matrices/row_products.hpp"

namespace fg::electrons::reference {

void add_inner_products(const Rows& a, const Rows& b, std::size_t length, double* sums,
                        std::size_t stride) noexcept {
  for (std::size_t i = 0; i < a.count; ++i)
    for (std::size_t k = 0; k < b.count; ++k)
      for (std::size_t x = 0; x < length; ++x)
        sums[i * stride + k] += a.data[i * a.stride + x] * b.data[k * b.stride + x];
}

void combine_rows(std::span<const double* const> from, const Weights& weights, std::size_t length,
                  Sum sum, double* to, std::size_t to_stride) noexcept {
  for (std::size_t k = 0; k < weights.count; ++k)
    for (std::size_t x = 0; x < length; ++x) {
      double one = 0;
      for (std::size_t i = 0; i < from.size(); ++i)
        one += weights.scale * weights.data[i * weights.stride + k] * from[i][x];
      double& result = to[k * to_stride + x];
      result = sum == Sum::adds ? result + one : one;
    }
}

}  // namespace fg::electrons::reference
