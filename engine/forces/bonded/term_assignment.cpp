// SPDX-License-Identifier: BSD-3-Clause
#include "forces/bonded/term_assignment.hpp"

#include <algorithm>

namespace fg {

std::optional<int> term_owner(std::span<const int> coordinates, int count) noexcept {
  const int a = coordinates[0];
  int b = a;
  for (const int c : coordinates) {
    if (c == a || c == b) continue;
    if (b != a) return std::nullopt;  // three different patches
    b = c;
  }
  if (a == b) return a;
  // With two patches each follows the other; the smaller one is chosen.
  if (count == 2) return std::min(a, b);
  if ((a + 1) % count == b) return a;
  if ((b + 1) % count == a) return b;
  return std::nullopt;
}

std::optional<std::array<int, 3>> term_owner(std::span<const std::array<int, 3>> patches,
                                             const std::array<int, 3>& grid) noexcept {
  constexpr std::size_t most = 8;  // atoms in a term
  std::array<int, most> along{};
  const std::size_t atoms = std::min(patches.size(), most);
  std::array<int, 3> owner{};
  for (int axis = 0; axis < 3; ++axis) {
    for (std::size_t i = 0; i < atoms; ++i) along[i] = patches[i][axis];
    const auto one = term_owner(std::span<const int>(along.data(), atoms), grid[axis]);
    if (!one) return std::nullopt;
    owner[axis] = *one;
  }
  return owner;
}

BondedBlock bonded_block(const std::array<int, 3>& own, const std::array<int, 3>& grid) noexcept {
  BondedBlock block;
  const auto width = [&](int axis) { return grid[axis] > 1 ? 2 : 1; };
  for (int x = 0; x < width(0); ++x)
    for (int y = 0; y < width(1); ++y)
      for (int z = 0; z < width(2); ++z)
        block.patches[block.size++] = {(own[0] + x) % grid[0], (own[1] + y) % grid[1],
                                       (own[2] + z) % grid[2]};
  return block;
}

}  // namespace fg
