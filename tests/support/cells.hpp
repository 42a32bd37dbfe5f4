// SPDX-License-Identifier: BSD-3-Clause
//
// Tilted cells for tests: those that programs use for round solutes, and one without symmetry.
#pragma once

#include <array>
#include <cmath>

#include "base/box.hpp"

namespace fg::test {

/// The reduced cell of a truncated octahedron whose images are `d` away; all widths are equal.
inline Box truncated_octahedron(double d) {
  return {.edge = {d, d * std::sqrt(8.0) / 3, d * std::sqrt(6.0) / 3},
          .tilt = {d / 3, -d / 3, d * std::sqrt(2.0) / 3}};
}

/// The reduced cell of a rhombic dodecahedron with a square in the xy plane.
inline Box rhombic_dodecahedron(double d) {
  return {.edge = {d, d, d * std::sqrt(0.5)}, .tilt = {0, d / 2, d / 2}};
}

/// No two lengths, angles or signs are the same.
inline Box skew_cell(double d) {
  return {.edge = {1.1 * d, d, 0.9 * d}, .tilt = {0.4 * d, -0.3 * d, 0.35 * d}};
}

inline std::array<Box, 3> tilted_cells(double d) {
  return {truncated_octahedron(d), rhombic_dodecahedron(d), skew_cell(d)};
}

}  // namespace fg::test
