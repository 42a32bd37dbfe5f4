// SPDX-License-Identifier: BSD-3-Clause
#include "particles/assignment/midpoint_counts.hpp"

#include <cmath>
#include <cstddef>
#include <vector>

#include "particles/close_pairs.hpp"
#include "particles/midpoints.hpp"

namespace fg {

std::array<double, 3> in_patches(const PatchGrid& grid, const Vec3& position) noexcept {
  const Vec3 s = grid.box().fractional(position);
  const auto& [x, y, z] = grid.shape();
  return {s.x * x, s.y * y, s.z * z};
}

void add_midpoints(const PatchGrid& grid, const PatchOffset& reach,
                   std::span<const CountedGroup> groups, double radius, double of_pair,
                   SpaceBins& bins) {
  std::vector<Vec3> positions;
  positions.reserve(groups.size());
  for (const CountedGroup& group : groups) {
    positions.push_back(group.position);
    const double atoms = group.atoms;
    bins.add(in_patches(grid, group.position), of_pair * atoms * (atoms - 1) / 2);
  }
  CloseCells(grid.box(), positions, radius)
      .for_each_pair(positions, [&](std::int32_t a, std::int32_t b, const Vec3& apart) {
        const auto one = static_cast<std::size_t>(a);
        const auto from = in_patches(grid, positions[one]);
        const auto way = in_patches(grid, apart);
        std::array<double, 3> middle{};
        for (std::size_t axis = 0; axis < 3; ++axis) {
          const double patch = std::floor(from[axis]);
          const double other = std::floor(from[axis] + way[axis]);
          const double between = (patch + other + 1) / 2;
          middle[axis] = from[axis] + way[axis] / 2;
          if (std::abs(other - patch) >= reach[axis])
            middle[axis] = between + (middle[axis] - between) / squeeze;
        }
        bins.add(middle, of_pair * groups[one].atoms * groups[static_cast<std::size_t>(b)].atoms);
      });
}

}  // namespace fg
