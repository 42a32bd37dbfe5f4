// SPDX-License-Identifier: BSD-3-Clause
//
// A hash that shows whether two runs ended with the same bits.
#pragma once

#include <span>
#include <string>

#include "base/box.hpp"

namespace fg {

/// SHA-256 (hex) of positions, velocities and the box (box_numbers.hpp) as little-endian doubles in
/// the input's order of atoms. Positions are in the engine's units [bohr, bohr per au time].
std::string state_digest(std::span<const Vec3> positions, std::span<const Vec3> velocities,
                         const Box& box);

}  // namespace fg
