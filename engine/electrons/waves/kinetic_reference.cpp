// SPDX-License-Identifier: BSD-3-Clause
#include "electrons/waves/kinetic.hpp"

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

void add_kinetic_virial(const PlaneWaves& waves, std::span<const std::complex<double>> block,
                        std::size_t orbitals, double occupation, Virial& virial,
                        std::span<const double> slopes) {
  for (std::size_t s = 0; s < orbitals; ++s)
    for (std::size_t i = 0; i < waves.size(); ++i)
      for (const double sign : {1.0, -1.0}) {
        const Vec3 g = waves.wave(i) * sign;
        const double slope = slopes.empty() ? 1 : slopes[i];
        add_virial(virial, g, g * (slope * occupation * std::norm(block[s * waves.size() + i])));
      }
}

}  // namespace fg::electrons::reference
