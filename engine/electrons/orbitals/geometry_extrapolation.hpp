// SPDX-License-Identifier: BSD-3-Clause
//
// Orbitals at new positions of ions from the orbitals at positions before. These need not follow
// each other in equal steps. The displacements are d_0 = now - R_0, d_1 = R_0 - R_1, d_2 = R_1 -
// R_2, with R_0 the newest positions. Choose a and b so that |d_0 - a d_1 - b d_2|^2 is least. Then
//   predicted = psi_0 + a (psi_0 - psi_1) + b (psi_1 - psi_2).
// Ions that move by a vector of the lattice have not moved. Units: bohr. Source: Arias, Payne and
// Joannopoulos, Phys. Rev. B 45, 1538 (1992), equations 8 and 9.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "base/vec3.hpp"

namespace fg::electrons {

/// The positions that are of use.
inline constexpr std::size_t most_past_geometries = 3;

/// Shares of the orbitals of these geometries, the newest first. Their sum is 1. There are as many
/// as are of use, at least one; `past` [1 to 3][ions]. `shortest` makes a displacement the shortest
/// one of its images. Displacements that say nothing (none, or the same ones again) get no share.
/// If a or b would be above 3, only the newest orbitals have a share: nothing is linear that far
/// away.
std::vector<double> geometry_shares(std::span<const std::vector<Vec3>> past,
                                    std::span<const Vec3> now,
                                    const std::function<Vec3(const Vec3&)>& shortest);

}  // namespace fg::electrons
