// SPDX-License-Identifier: BSD-3-Clause
//
// The mesh points that a patch's atoms can touch, and so the z-pencils with which its spreader
// exchanges blocks. Spreaders and pencils both use these functions, so that each awaits exactly the
// messages that the others send.
// Units: bohr.
#pragma once

#include <vector>

#include "fft/grid_box.hpp"
#include "fft/pencil_geometry.hpp"
#include "forces/mesh/mesh_settings.hpp"
#include "particles/patch_grid.hpp"

namespace fg {

/// The division of the reciprocal sum into objects; fixed by the job.
struct MeshDivision {
  PatchGrid patches;
  MeshSettings settings;
  fft::PencilGeometry pencils;
  double reach;  // largest distance of an atom outside its patch, in each direction
};

/// Throws InputError for an invalid order, coefficient or mesh.
void check_mesh(const MeshSettings& settings);

/// All points that atoms within reach of the patch can touch; may extend over the mesh's edges.
fft::GridBox frame_of(const MeshDivision& division, const PatchIndex& patch);

/// The z-pencils that own points of a patch's frame, ascending.
std::vector<fft::PencilIndex> pencils_of(const MeshDivision& division, const PatchIndex& patch);

/// The number of patches that have points in z-pencil `pencil`.
int spreaders_of(const MeshDivision& division, const fft::PencilIndex& pencil);

}  // namespace fg
