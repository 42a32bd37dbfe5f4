// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>

#include "electrons/splines/spline_field.hpp"

namespace fg::electrons::reference {

using Complex = std::complex<double>;

SplineFieldValues spline_field(const PlaneWaves& waves, const fft::Grid& grid, int order,
                               const std::vector<RadialWaves>& kinds,
                               std::span<const int> kind_of_ion, std::span<const Vec3> positions,
                               IonField::Waves partner) {
  const IonPhases phases = spline_phases(waves, grid, order);
  SplineFieldValues result;
  result.field.resize(waves.size());
  result.forces.resize(positions.size());
  for (std::size_t ion = 0; ion < positions.size(); ++ion) {
    const RadialWaves& kind = kinds[static_cast<std::size_t>(kind_of_ion[ion])];
    if (kind.values.empty()) continue;
    for (std::size_t i = 0; i < waves.size(); ++i) {
      const IonPhase phase = phases(i, positions[ion]);
      result.field[i] += kind.values[i] * std::conj(phase.value) / waves.lattice().volume();
      const Vec3 g = waves.wave(i);
      const double length = norm(g);
      if (length == 0) continue;
      // Both waves of a pair.
      for (std::size_t a = 0; a < 3; ++a)
        result.forces[ion][static_cast<int>(a)] -=
            2 * kind.values[i] * (phase.gradient[a] * partner[i]).real();
      const double product = (phase.value * partner[i]).real();
      add_virial(result.virial, g, g * (2 * kind.slopes[i] / length * product));
    }
  }
  return result;
}

}  // namespace fg::electrons::reference
