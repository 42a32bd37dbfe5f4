// SPDX-License-Identifier: BSD-3-Clause
#include "fft/pencil_geometry.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"

namespace fg::fft {

PencilGeometry::PencilGeometry(std::array<int, 3> mesh, std::array<int, 2> grid)
    : mesh_(mesh), grid_(grid) {
  if (*std::min_element(mesh.begin(), mesh.end()) < 1)
    throw InputError({.what = "a mesh needs at least one point per axis",
                      .value = std::to_string(*std::min_element(mesh.begin(), mesh.end()))});
  const int most_a = std::min(mesh[0], mesh[1]);
  const int most_b = std::min(mesh[1], kept_z());
  if (grid[0] < 1 || grid[1] < 1 || grid[0] > most_a || grid[1] > most_b)
    throw InputError({.what = "the pencil grid does not fit the mesh",
                      .value = std::to_string(grid[0]) + " x " + std::to_string(grid[1]),
                      .limit = std::to_string(most_a) + " x " + std::to_string(most_b),
                      .hint = "use fewer pencils"});
}

}  // namespace fg::fft
