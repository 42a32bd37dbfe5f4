// SPDX-License-Identifier: BSD-3-Clause
#include "particles/assignment/cell_cut.hpp"

namespace fg {

std::size_t CellCut::planes_of(const std::array<int, 3>& shape) noexcept {
  std::size_t lists = 1, planes = 0;
  for (const int count : shape) {
    planes += lists * static_cast<std::size_t>(count + 1);
    lists *= static_cast<std::size_t>(count);
  }
  return planes;
}

CellSpan CellCut::along(int axis, int x, int y, int z) const noexcept {
  const auto [nx, ny, nz] = shape;
  const std::array<int, 3> at{x, nx + 1 + x * (ny + 1) + y,
                              nx + 1 + nx * (ny + 1) + (x * ny + y) * (nz + 1) + z};
  const auto low = static_cast<std::size_t>(at[static_cast<std::size_t>(axis)]);
  return {planes[low], planes[low + 1]};
}

}  // namespace fg
