// SPDX-License-Identifier: BSD-3-Clause
#include "particles/half_shell.hpp"

namespace fg {

HalfShell::HalfShell(const PatchOffset& reach) : reach_(reach), directions_{{0, 0, 0}} {
  directions_.reserve(static_cast<std::size_t>(
      ((2 * reach[0] + 1) * (2 * reach[1] + 1) * (2 * reach[2] + 1) + 1) / 2));
  for (int z = 0; z <= reach[2]; ++z)
    for (int y = z == 0 ? 0 : -reach[1]; y <= reach[1]; ++y)
      for (int x = z == 0 && y == 0 ? 1 : -reach[0]; x <= reach[0]; ++x)
        directions_.push_back({x, y, z});
}

PatchOffset HalfShell::offset_of(int number) const noexcept {
  const int y = 2 * reach_[1] + 1, z = 2 * reach_[2] + 1;
  return {number / (y * z) - reach_[0], number / z % y - reach_[1], number % z - reach_[2]};
}

}  // namespace fg
