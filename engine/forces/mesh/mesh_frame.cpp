// SPDX-License-Identifier: BSD-3-Clause
#include "forces/mesh/mesh_frame.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.hpp"
#include "forces/mesh/bspline.hpp"

namespace fg {

void check_mesh(const MeshSettings& s) {
  if (!is_spline_order(s.order))
    throw InputError({.what = "no mesh kernel for this spline order",
                      .value = std::to_string(s.order),
                      .limit = "4, 5, 6 or 8"});
  if (!(s.alpha > 0))
    throw InputError({.what = "the Ewald coefficient must be positive",
                      .value = std::to_string(s.alpha) + " 1/bohr"});
  for (int points : s.mesh)
    if (points < s.order)
      throw InputError({.what = "the mesh has fewer points along an axis than the spline",
                        .value = std::to_string(points),
                        .limit = std::to_string(s.order),
                        .hint = "use a finer mesh"});
}

fft::GridBox frame_of(const MeshDivision& division, const PatchIndex& patch) {
  fft::GridBox frame;
  const Vec3 widths = division.settings.box.widths();
  for (int a = 0; a < 3; ++a) {
    const double points = division.settings.mesh[a];
    const double side = points / division.patches.shape()[a];
    const double reach = division.reach * points / widths[a];
    const double low = patch[a] * side - reach;
    const double high = (patch[a] + 1) * side + reach;
    frame.low[a] = static_cast<int>(std::floor(low));
    frame.high[a] = static_cast<int>(std::floor(high)) + division.settings.order;
  }
  return frame;
}

namespace {

bool in_column(const MeshDivision& division, const fft::GridBox& frame, int column) {
  return fft::overlap(frame.range(0), division.settings.mesh[0], division.pencils.x_part(column)) >
         0;
}

bool in_row(const MeshDivision& division, const fft::GridBox& frame, int row) {
  return fft::overlap(frame.range(1), division.settings.mesh[1],
                      division.pencils.y_part_of_z(row)) > 0;
}

}  // namespace

std::vector<fft::PencilIndex> pencils_of(const MeshDivision& division, const PatchIndex& patch) {
  const fft::GridBox frame = frame_of(division, patch);
  const auto [columns, rows] = division.pencils.grid();
  std::vector<int> touched;
  for (int j = 0; j < rows; ++j)
    if (in_row(division, frame, j)) touched.push_back(j);
  std::vector<fft::PencilIndex> pencils;
  for (int i = 0; i < columns; ++i)
    if (in_column(division, frame, i))
      for (const int j : touched) pencils.push_back({i, j});
  return pencils;
}

int spreaders_of(const MeshDivision& division, const fft::PencilIndex& pencil) {
  // Along each axis the frame of a patch depends on its index along this axis only.
  const auto& shape = division.patches.shape();
  int along_x = 0, along_y = 0;
  for (int x = 0; x < shape[0]; ++x)
    along_x += in_column(division, frame_of(division, {x, 0, 0}), pencil[0]);
  for (int y = 0; y < shape[1]; ++y)
    along_y += in_row(division, frame_of(division, {0, y, 0}), pencil[1]);
  return along_x * along_y * shape[2];
}

}  // namespace fg
