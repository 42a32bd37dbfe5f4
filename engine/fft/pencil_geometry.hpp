// SPDX-License-Identifier: BSD-3-Clause
//
// A mesh of nx * ny * nz real points divided into a * b pencils along z, then y, then x.
//   z-pencil (i, j): x in part i of a, y in part j of b, all z
//   y-pencil (i, j): x in part i of a, all y, kz in part j of b
//   x-pencil (i, j): all x, y in part i of a, kz in part j of b
// Because the mesh is real, only kz = 0 .. nz/2 are kept. z and y pencils with the same i exchange
// data, and y and x pencils with the same j.
#pragma once

#include <array>

#include "fft/partition.hpp"

namespace fg::fft {

using PencilIndex = std::array<int, 2>;

class PencilGeometry {
 public:
  /// Throws InputError if a part would be empty or a size is below 1.
  PencilGeometry(std::array<int, 3> mesh, std::array<int, 2> grid);

  const std::array<int, 3>& mesh() const noexcept { return mesh_; }
  const std::array<int, 2>& grid() const noexcept { return grid_; }
  int pencils() const noexcept { return grid_[0] * grid_[1]; }
  int kept_z() const noexcept { return mesh_[2] / 2 + 1; }

  Range x_part(int i) const noexcept { return share(mesh_[0], grid_[0], i); }  // of z, y pencils
  Range y_part_of_z(int j) const noexcept { return share(mesh_[1], grid_[1], j); }
  Range kz_part(int j) const noexcept { return share(kept_z(), grid_[1], j); }  // of y, x pencils
  Range y_part_of_x(int i) const noexcept { return share(mesh_[1], grid_[0], i); }

 private:
  std::array<int, 3> mesh_;
  std::array<int, 2> grid_;
};

}  // namespace fg::fft
