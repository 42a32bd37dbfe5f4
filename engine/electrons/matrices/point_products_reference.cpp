// SPDX-License-Identifier: BSD-3-Clause
#include "electrons/matrices/point_products.hpp"

namespace fg::electrons::reference {

void add_squares(const std::complex<double>* points, std::size_t count, double* sums) noexcept {
  for (std::size_t i = 0; i < count; ++i) sums[i] += std::norm(points[i]);
}

void multiply_points(const double* factors, std::size_t count,
                     std::complex<double>* points) noexcept {
  for (std::size_t i = 0; i < count; ++i) points[i] *= factors[i];
}

}  // namespace fg::electrons::reference
