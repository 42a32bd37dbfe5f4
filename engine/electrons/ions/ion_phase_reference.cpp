// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>

#include "electrons/ions/ion_phase.hpp"

namespace fg::electrons::reference {

using Complex = std::complex<double>;

IonPhases exact_phases(const PlaneWaves& waves) {
  return [&waves](std::size_t wave, const Vec3& position) {
    const Vec3 g = waves.wave(wave);
    const Complex value = std::polar(1.0, dot(g, position)), slope = Complex(0, 1) * value;
    return IonPhase{value, {slope * g.x, slope * g.y, slope * g.z}};
  };
}

}  // namespace fg::electrons::reference
