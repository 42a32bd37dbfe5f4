// SPDX-License-Identifier: BSD-3-Clause
#include "electrons/waves/fictitious_mass.hpp"

namespace fg::electrons::reference {

double fictitious_kinetic_energy(std::span<const double> masses, std::ptrdiff_t zero,
                                 std::span<const std::complex<double>> velocities) noexcept {
  double sum = 0;
  for (std::size_t i = 0; i < masses.size(); ++i) {
    const double re = velocities[i].real(), im = velocities[i].imag();
    sum += masses[i] * (re * re + im * im);                                              // G
    if (static_cast<std::ptrdiff_t>(i) != zero) sum += masses[i] * (re * re + im * im);  // -G
  }
  return sum;
}

}  // namespace fg::electrons::reference
