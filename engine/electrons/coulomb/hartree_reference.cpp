// SPDX-License-Identifier: BSD-3-Clause
#include <numbers>

#include "electrons/coulomb/hartree.hpp"

namespace fg::electrons::reference {

double hartree(const PlaneWaves& waves, std::span<const std::complex<double>> density,
               std::span<std::complex<double>> potential) noexcept {
  double sum = 0;
  for (std::size_t i = 0; i < waves.size(); ++i) {
    const Vec3 g = waves.wave(i);
    potential[i] = 0;
    if (g == Vec3{}) continue;
    for (const double sign : {1.0, -1.0}) {
      const Vec3 k = g * sign;
      sum += 4 * std::numbers::pi * std::norm(density[i]) / dot(k, k);
    }
    potential[i] = 4 * std::numbers::pi * density[i] / dot(g, g);
  }
  return waves.lattice().volume() / 2 * sum;
}

void add_hartree_virial(const PlaneWaves& waves, std::span<const std::complex<double>> density,
                        Virial& virial) {
  for (std::size_t i = 0; i < waves.size(); ++i) {
    const Vec3 g = waves.wave(i);
    if (g == Vec3{}) continue;
    const double square = dot(g, g);
    // Both halves, each with V/2.
    const double energy =
        waves.lattice().volume() * 4 * std::numbers::pi * std::norm(density[i]) / square;
    for (int k = 0; k < 3; ++k) virial[k] += energy;
    add_virial(virial, g, g * (-2 * energy / square));
  }
}

}  // namespace fg::electrons::reference
