// SPDX-License-Identifier: BSD-3-Clause
#include "support/references/electrons/ion_references.hpp"

#include <cmath>
#include <numbers>

namespace fg::electrons::reference {

using Complex = std::complex<double>;

IonPhases exact_phases(const PlaneWaves& waves) {
  return [&waves](std::size_t wave, const Vec3& position) {
    const Vec3 g = waves.wave(wave);
    const Complex value = std::polar(1.0, dot(g, position)), slope = Complex(0, 1) * value;
    return IonPhase{value, {slope * g.x, slope * g.y, slope * g.z}};
  };
}

void ion_field(const PlaneWaves& waves, const std::vector<RadialWaves>& kinds,
               std::span<const int> kind_of_ion, std::span<const Vec3> positions,
               std::span<Complex> field) {
  for (std::size_t i = 0; i < waves.size(); ++i) {
    field[i] = 0;
    for (std::size_t ion = 0; ion < positions.size(); ++ion) {
      const RadialWaves& kind = kinds[static_cast<std::size_t>(kind_of_ion[ion])];
      if (!kind.values.empty())
        field[i] += kind.values[i] * std::polar(1.0, -dot(waves.wave(i), positions[ion])) /
                    waves.lattice().volume();
    }
  }
}

IonFieldSlopes ion_field_slopes(const PlaneWaves& waves, const std::vector<RadialWaves>& kinds,
                                std::span<const int> kind_of_ion, std::span<const Vec3> positions,
                                IonField::Waves partner) {
  IonFieldSlopes result;
  result.forces.resize(positions.size());
  for (std::size_t ion = 0; ion < positions.size(); ++ion) {
    const RadialWaves& kind = kinds[static_cast<std::size_t>(kind_of_ion[ion])];
    if (kind.values.empty()) continue;
    for (std::size_t i = 0; i < waves.size(); ++i) {
      const Vec3 half = waves.wave(i);
      const double length = norm(half);
      if (length == 0) continue;
      for (const double sign : {1.0, -1.0}) {
        const Vec3 g = half * sign;
        const Complex p = sign > 0 ? partner[i] : std::conj(partner[i]);
        const Complex product = std::polar(1.0, -dot(g, positions[ion])) * std::conj(p);
        // d/dR of exp(-i G . R) is -i G times it.
        result.forces[ion] += g * (kind.values[i] * (Complex(0, 1) * product).real());
        add_virial(result.virial, g, g * (kind.slopes[i] / length * product.real()));
      }
    }
  }
  return result;
}

RadialWaves local_on_waves(const PlaneWaves& waves, const LocalPotential& local) {
  RadialWaves result;
  for (std::size_t i = 0; i < waves.size(); ++i) {
    const double g = norm(waves.wave(i)), w = local.width;
    const RadialValue table = local.short_range.at(g);
    const double tail = 4 * std::numbers::pi * local.charge * std::exp(-g * g * w * w / 4);
    const bool zero = g == 0;
    result.values.push_back(zero ? 0 : table.value - tail / (g * g));
    result.slopes.push_back(zero ? 0
                                 : table.slope + tail * w * w / (2 * g) + 2 * tail / (g * g * g));
  }
  return result;
}

double integral(const PlaneWaves& waves, IonField::Waves a, IonField::Waves b) noexcept {
  double sum = 0;
  for (std::size_t i = 0; i < waves.size(); ++i) {
    const double weight = waves.squares()[i] == 0 ? 1 : 2;
    sum += weight * (std::conj(a[i]) * b[i]).real();
  }
  return waves.lattice().volume() * sum;
}

Vec3 electron_dipole(const Lattice& lattice, const Vec3& centre, const std::array<int, 3>& grid,
                     std::span<const double> density) {
  Vec3 sum{};
  std::size_t i = 0;
  for (int x = 0; x < grid[0]; ++x)
    for (int y = 0; y < grid[1]; ++y)
      for (int z = 0; z < grid[2]; ++z)
        sum -= from_centre({1.0 * x / grid[0], 1.0 * y / grid[1], 1.0 * z / grid[2]}, centre) *
               density[i++];
  return lattice.position(sum) * (lattice.volume() / grid[0] / grid[1] / grid[2]);
}

}  // namespace fg::electrons::reference
