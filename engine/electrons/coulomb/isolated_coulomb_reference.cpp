// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <numbers>

#include "electrons/coulomb/isolated_coulomb.hpp"

namespace fg::electrons::reference {

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
