// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "classical/job/system.hpp"

namespace fg::classical {

/// The patch of each atom: that of the first atom of its fragment.
std::vector<int> patches_of_atoms(const System& system, const PatchGrid& grid,
                                  std::span<const Vec3> positions);

}  // namespace fg::classical
