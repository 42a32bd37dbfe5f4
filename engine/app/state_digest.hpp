// SPDX-License-Identifier: BSD-3-Clause
//
// One line that says whether two runs ended in the same bits.
#pragma once

#include <span>
#include <string>

#include "base/vec3.hpp"

namespace fg::app {

/// SHA-256 (hex) of positions, velocities and box edges as little-endian doubles in the input's
/// order of atoms. Positions are as the engine holds them [bohr, bohr per au time].
std::string state_digest(std::span<const Vec3> positions, std::span<const Vec3> velocities,
                         const Vec3& box);

}  // namespace fg::app
