// SPDX-License-Identifier: BSD-3-Clause
#include "classical/division/atom_patches.hpp"

#include <cstddef>

namespace fg::classical {

std::vector<int> patches_of_atoms(const System& system, const PatchGrid& grid,
                                  std::span<const Vec3> positions) {
  std::vector<int> patches(positions.size());
  const auto& fragments = system.fragments();
  for (int f = 0; f < fragments.size(); ++f) {
    const auto atoms = fragments.atoms(f);
    const int patch = grid.flat(grid.place(positions[static_cast<std::size_t>(atoms[0])]).patch);
    for (const auto atom : atoms) patches[static_cast<std::size_t>(atom)] = patch;
  }
  return patches;
}

}  // namespace fg::classical
