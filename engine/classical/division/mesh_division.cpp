// SPDX-License-Identifier: BSD-3-Clause
#include "classical/division/mesh_division.hpp"

#include "classical/division/box_division.hpp"

namespace fg::classical {

MeshDivision mesh_division(const System& system, const PatchGrid& grid) {
  const auto& job = system.job();
  const auto& settings = job.settings;
  const MeshSettings mesh{.box = grid.box(),
                          .mesh = {settings.mesh.x, settings.mesh.y, settings.mesh.z},
                          .order = settings.spline_order,
                          .alpha = settings.ewald_coefficient,
                          .bits = settings.bits,
                          .influence = settings.influence};
  // An atom may be outside its patch by the reach of its fragment plus its motion between two
  // rebuilds. The list has room for that motion beyond the cutoff.
  const double reach =
      (system.fragments().reach() + settings.list_cutoff - settings.cutoff) * frame_room(job);
  return {
      .patches = grid,
      .settings = mesh,
      .pencils = fft::PencilGeometry(mesh.mesh, {settings.pencil_grid[0], settings.pencil_grid[1]}),
      .reach = reach};
}

}  // namespace fg::classical
