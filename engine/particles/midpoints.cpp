// SPDX-License-Identifier: BSD-3-Clause
#include "particles/midpoints.hpp"

#include <algorithm>
#include <cmath>

namespace fg {

template <class Real>
void quad_references(const PatchGrid& grid, std::span<const std::int32_t> ids,
                     const Real* positions, std::vector<PatchPoint>& references) {
  references.assign(ids.size() / quad_size, PatchPoint{});
  for (std::size_t quad = 0; quad < references.size(); ++quad) {
    Vec3 low{1e30, 1e30, 1e30}, high = -low;
    for (std::size_t slot = quad * quad_size; slot < (quad + 1) * quad_size; ++slot) {
      if (ids[slot] < 0) continue;
      for (int axis = 0; axis < 3; ++axis) {
        const double r = positions[number_of_slot(static_cast<int>(slot)) + axis * cluster_size];
        low[axis] = std::min(low[axis], r);
        high[axis] = std::max(high[axis], r);
      }
    }
    if (low.x > high.x) continue;
    const Vec3 middle = grid.box().fractional((low + high) * 0.5);
    for (int axis = 0; axis < 3; ++axis) {
      constexpr std::int32_t half = patch_length / 2;
      const double at =
          std::floor(middle[axis] * grid.shape()[static_cast<std::size_t>(axis)] * patch_length);
      references[quad][static_cast<std::size_t>(axis)] =
          static_cast<std::int32_t>(std::clamp<double>(at, -half, half - 1));
    }
  }
}

template void quad_references<float>(const PatchGrid&, std::span<const std::int32_t>, const float*,
                                     std::vector<PatchPoint>&);
template void quad_references<double>(const PatchGrid&, std::span<const std::int32_t>,
                                      const double*, std::vector<PatchPoint>&);

}  // namespace fg
