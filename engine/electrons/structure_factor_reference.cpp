// SPDX-License-Identifier: BSD-3-Clause
#include "electrons/structure_factor.hpp"

namespace fg::electrons::reference {

void structure_factor(const PlaneWaves& waves, std::span<const Vec3> positions,
                      std::span<std::complex<double>> factor) {
  for (std::size_t i = 0; i < waves.size(); ++i) {
    factor[i] = 0;
    for (const Vec3& r : positions) factor[i] += std::polar(1.0, -dot(waves.wave(i), r));
  }
}

}  // namespace fg::electrons::reference
