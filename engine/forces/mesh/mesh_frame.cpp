// SPDX-License-Identifier: BSD-3-Clause
#include "forces/mesh/mesh_frame.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.hpp"

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

bool touches(const MeshDivision& division, const fft::GridBox& frame,
             const fft::PencilIndex& pencil) {
  const auto& mesh = division.settings.mesh;
  return fft::overlap(frame.range(0), mesh[0], division.pencils.x_part(pencil[0])) > 0 &&
         fft::overlap(frame.range(1), mesh[1], division.pencils.y_part_of_z(pencil[1])) > 0;
}

}  // namespace

std::vector<fft::PencilIndex> pencils_of(const MeshDivision& division, const PatchIndex& patch) {
  const fft::GridBox frame = frame_of(division, patch);
  std::vector<fft::PencilIndex> pencils;
  for (int i = 0; i < division.pencils.grid()[0]; ++i)
    for (int j = 0; j < division.pencils.grid()[1]; ++j)
      if (touches(division, frame, {i, j})) pencils.push_back({i, j});
  return pencils;
}

int spreaders_of(const MeshDivision& division, const fft::PencilIndex& pencil) {
  int count = 0;
  for (int p = 0; p < division.patches.size(); ++p)
    count += touches(division, frame_of(division, division.patches.unflat(p)), pencil);
  return count;
}

}  // namespace fg
