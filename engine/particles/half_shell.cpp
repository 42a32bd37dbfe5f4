// SPDX-License-Identifier: BSD-3-Clause
#include "particles/half_shell.hpp"

#include <algorithm>
#include <cstdlib>

namespace fg {

HalfShell::HalfShell(const PatchOffset& reach) : reach_(reach), directions_{{0, 0, 0}} {
  directions_.reserve(static_cast<std::size_t>((numbers() + 1) / 2));
  for (int z = 0; z <= reach[2]; ++z)
    for (int y = z == 0 ? 0 : -reach[1]; y <= reach[1]; ++y)
      for (int x = z == 0 && y == 0 ? 1 : -reach[0]; x <= reach[0]; ++x)
        directions_.push_back({x, y, z});
}

HalfShell::HalfShell(const PatchOffset& reach, const std::array<double, 3>& widths, double farthest)
    : HalfShell(reach) {
  std::erase_if(directions_, [&](const PatchOffset& direction) {
    double square = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double between = std::max(std::abs(direction[axis]) - 1, 0) * widths[axis];
      square += between * between;
    }
    return square >= farthest * farthest;
  });
}

PatchOffset HalfShell::offset_of(int number) const noexcept {
  const int y = 2 * reach_[1] + 1, z = 2 * reach_[2] + 1;
  return {number / (y * z) - reach_[0], number / z % y - reach_[1], number % z - reach_[2]};
}

}  // namespace fg
