// SPDX-License-Identifier: BSD-3-Clause
//
// Ways to divide a grid among processes into bricks. Bricks that are whole along one axis are
// pencils, and those whole along two are slabs. Part sizes follow partition.hpp. They differ by at
// most one point per axis, and are empty if there are more parts than points.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "fft/grid_box.hpp"

namespace fg::fft {

using Grid = std::array<int, 3>;  // points per axis

/// parts[0] * parts[1] * parts[2] boxes, the last axis fastest.
std::vector<GridBox> bricks(const Grid& grid, const std::array<int, 3>& parts);

/// Whole along `axis`; the two others, in ascending order, are divided into parts[0] * parts[1].
std::vector<GridBox> pencils(const Grid& grid, int axis, const std::array<int, 2>& parts);

/// Divided along `axis` alone.
std::vector<GridBox> slabs(const Grid& grid, int axis, int parts);

/// a * b = parts for pencils of all three axes. It is one row if each axis that has to be divided
/// has that many points. This saves one exchange. Otherwise it is the squarest choice for which the
/// largest box is smallest.
std::array<int, 2> pencil_parts(const Grid& grid, int parts);

/// Boxes whole along `axis` for the ranks of a mesh, numbered like its bricks. Each row of bricks
/// along the axis divides its lines among its own ranks. So points stay within a row of the mesh
/// from bricks to lines. They stay within a plane from lines to lines of another axis.
std::vector<GridBox> lines_in_mesh(const Grid& grid, const std::array<int, 3>& mesh, int axis);

constexpr GridBox whole(const Grid& grid) noexcept {
  return {{0, 0, 0}, grid};
}

/// The points in both.
constexpr GridBox intersection(const GridBox& a, const GridBox& b) noexcept {
  GridBox both;
  for (int axis = 0; axis < 3; ++axis) {
    both.low[axis] = a.low[axis] > b.low[axis] ? a.low[axis] : b.low[axis];
    both.high[axis] = a.high[axis] < b.high[axis] ? a.high[axis] : b.high[axis];
    if (both.high[axis] <= both.low[axis]) return {};
  }
  return both;
}

/// Whether all boxes with points in them have all the points of an axis.
bool whole_along(std::span<const GridBox> boxes, int axis, int points);

/// Throws InputError unless each point of the grid is in exactly one box. `name` is for the
/// message: "input", "output".
void require_partition(const Grid& grid, std::span<const GridBox> boxes, const char* name);

}  // namespace fg::fft
