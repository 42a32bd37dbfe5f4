// SPDX-License-Identifier: BSD-3-Clause
#include "support/references/electrons/coulomb_references.hpp"

#include <cmath>
#include <numbers>

#include "support/references/electrons/wave_references.hpp"

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

void isolated_screening(const PlaneWaves& waves, const std::array<int, 3>& grid, double splitting,
                        std::span<double> screening) {
  constexpr double pi = std::numbers::pi;
  const Lattice& cell = waves.lattice();
  const double element = cell.volume() / grid[0] / grid[1] / grid[2];
  for (double& value : screening) value = 0;
  for (int x = 0; x < grid[0]; ++x)
    for (int y = 0; y < grid[1]; ++y)
      for (int z = 0; z < grid[2]; ++z) {
        const Vec3 point = cell.position({1.0 * x / grid[0], 1.0 * y / grid[1], 1.0 * z / grid[2]});
        const double r = norm(nearest_image(cell, point));
        const double far = r == 0 ? 2 * splitting / std::sqrt(pi) : std::erf(splitting * r) / r;
        for (std::size_t i = 0; i < waves.size(); ++i)
          screening[i] += element * far * std::cos(dot(waves.wave(i), point));
      }
  for (std::size_t i = 0; i < waves.size(); ++i) {
    const Vec3 g = waves.wave(i);
    const double square = dot(g, g), width = 1 / splitting;
    if (square == 0)
      screening[i] += pi * width * width;
    else
      screening[i] -= 4 * pi / square * std::exp(-square * width * width / 4);
  }
}

double screen_hartree(const PlaneWaves& waves, std::span<const double> screening,
                      IsolatedCoulomb::Waves density,
                      std::span<std::complex<double>> potential) noexcept {
  double energy = 0;
  for (std::size_t i = 0; i < waves.size(); ++i) {
    const double weight = waves.squares()[i] == 0 ? 1 : 2;
    energy += weight / 2 * screening[i] * std::norm(density[i]);
    potential[i] += screening[i] * density[i];
  }
  return waves.lattice().volume() * energy;
}

}  // namespace fg::electrons::reference
