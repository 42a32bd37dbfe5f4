// SPDX-License-Identifier: BSD-3-Clause
#include "particles/midpoints.hpp"

#include <algorithm>
#include <cmath>

namespace fg {

template <class Real>
void place_quads(const PatchGrid& grid, std::span<const std::int32_t> ids, const Real* positions,
                 std::vector<QuadPlace>& places) {
  places.assign(ids.size() / quad_size, QuadPlace{});
  const auto position = [&](std::size_t slot) {
    const Real* const r = positions + number_of_slot(static_cast<int>(slot));
    return Vec3{r[0], r[cluster_size], r[2 * cluster_size]};
  };
  const auto in_patches = [&](const Vec3& r, int axis) {
    return r[axis] * grid.shape()[static_cast<std::size_t>(axis)] * patch_length;
  };
  for (std::size_t quad = 0; quad < places.size(); ++quad) {
    Vec3 low{1e30, 1e30, 1e30}, high = -low;
    const auto for_each_atom = [&](const auto& f) {
      for (std::size_t slot = quad * quad_size; slot < (quad + 1) * quad_size; ++slot)
        if (ids[slot] >= 0) f(position(slot));
    };
    for_each_atom([&](const Vec3& r) {
      for (int axis = 0; axis < 3; ++axis) {
        low[axis] = std::min(low[axis], r[axis]);
        high[axis] = std::max(high[axis], r[axis]);
      }
    });
    if (low.x > high.x) continue;
    QuadPlace& place = places[quad];
    const Vec3 middle = grid.box().fractional((low + high) * 0.5);
    for (int axis = 0; axis < 3; ++axis) {
      constexpr std::int32_t half = patch_length / 2;
      place.reference[static_cast<std::size_t>(axis)] = static_cast<std::int32_t>(
          std::clamp<double>(std::floor(in_patches(middle, axis)), -half, half - 1));
    }
    for_each_atom([&](const Vec3& r) {
      const Vec3 fraction = grid.box().fractional(r);
      for (int axis = 0; axis < 3; ++axis) {
        constexpr double anywhere = 1 << 30;
        const auto a = static_cast<std::size_t>(axis);
        const double away = std::abs(in_patches(fraction, axis) - place.reference[a]);
        // A position that is no number may be anywhere, too.
        const double spread = away + 1 < anywhere ? away + 1 : anywhere;
        place.spread[a] = std::max(place.spread[a], static_cast<std::int32_t>(spread));
      }
    });
  }
}

template void place_quads<float>(const PatchGrid&, std::span<const std::int32_t>, const float*,
                                 std::vector<QuadPlace>&);
template void place_quads<double>(const PatchGrid&, std::span<const std::int32_t>, const double*,
                                  std::vector<QuadPlace>&);

}  // namespace fg
