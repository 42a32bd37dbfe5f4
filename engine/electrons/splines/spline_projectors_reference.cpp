// SPDX-License-Identifier: BSD-3-Clause
#include "electrons/splines/spline_projectors.hpp"

namespace fg::electrons::reference {

Nonlocal spline_nonlocal(const PlaneWaves& waves, const fft::Grid& grid, int order,
                         const std::vector<ProjectorKind>& kinds, std::span<const int> kind_of_ion,
                         std::span<const Vec3> positions, Projectors::Block block,
                         std::size_t orbitals, double occupation) {
  return nonlocal(waves, kinds, kind_of_ion, positions, block, orbitals, occupation,
                  spline_phases(waves, grid, order));
}

}  // namespace fg::electrons::reference
