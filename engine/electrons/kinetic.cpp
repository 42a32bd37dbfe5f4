// SPDX-License-Identifier: BSD-3-Clause
#include "electrons/kinetic.hpp"

#include "electrons/parts_of_sum.hpp"

namespace fg::electrons {

double kinetic_energy(std::span<const double> squares,
                      std::span<const std::complex<double>> coefficients) noexcept {
  return sum_in_parts(squares.size(),
                      [&](std::size_t i) { return squares[i] * std::norm(coefficients[i]); });
}

void add_kinetic_force(std::span<const double> squares,
                       std::span<const std::complex<double>> coefficients, double occupation,
                       std::span<std::complex<double>> force) noexcept {
  const double scale = -0.5 * occupation;
  for (std::size_t i = 0; i < squares.size(); ++i) force[i] += scale * squares[i] * coefficients[i];
}

}  // namespace fg::electrons
