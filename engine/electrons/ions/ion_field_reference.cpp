// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>

#include "electrons/ions/ion_field.hpp"

namespace fg::electrons::reference {

using Complex = std::complex<double>;

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

}  // namespace fg::electrons::reference
