// SPDX-License-Identifier: BSD-3-Clause
#include "electrons/structure_factor.hpp"

#include <algorithm>

#include "electrons/phase_factors.hpp"

namespace fg::electrons {

void structure_factor(const PlaneWaves& waves, std::span<const Vec3> positions,
                      std::span<std::complex<double>> factor) {
  const PhaseFactors phases(waves);
  std::fill(factor.begin(), factor.end(), std::complex<double>());
  for (const Vec3& position : positions) phases.add(position, factor);
}

}  // namespace fg::electrons
