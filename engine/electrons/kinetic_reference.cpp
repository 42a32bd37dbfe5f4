// SPDX-License-Identifier: BSD-3-Clause
#include "electrons/kinetic.hpp"

namespace fg::electrons::reference {

double kinetic_energy(std::span<const double> squares,
                      std::span<const std::complex<double>> coefficients) noexcept {
  double energy = 0;
  for (std::size_t i = 0; i < squares.size(); ++i) {
    const bool zero = squares[i] == 0;
    const std::complex<double> c = coefficients[i], mirrored = std::conj(c);
    energy += 0.5 * squares[i] * std::norm(c);
    if (!zero) energy += 0.5 * squares[i] * std::norm(mirrored);
  }
  return energy;
}

}  // namespace fg::electrons::reference
