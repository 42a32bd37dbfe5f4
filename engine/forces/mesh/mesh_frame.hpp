// SPDX-License-Identifier: BSD-3-Clause
//
// Which mesh points a patch's atoms can touch, and hence which z-pencils its spreader exchanges
// blocks with. Spreaders and pencils both ask here, so that the messages each of them awaits are
// the ones the others send.
// Units: bohr.
#pragma once

#include <vector>

#include "fft/grid_box.hpp"
#include "fft/pencil_geometry.hpp"
#include "forces/mesh/influence.hpp"
#include "particles/patch_grid.hpp"

namespace fg {

/// How the reciprocal sum is cut into objects; fixed by the job.
struct MeshCut {
  PatchGrid patches;
  MeshSettings settings;
  fft::PencilGeometry pencils;
  double reach;  // how far outside of its patch an atom may be, in each direction
};

/// Throws InputError for an order, coefficient or mesh that cannot be.
void check_mesh(const MeshSettings& settings);

/// All points that atoms within reach of the patch can touch; may go over the mesh's edges.
fft::GridBox frame_of(const MeshCut& cut, const PatchIndex& patch);

/// The z-pencils that own points of a patch's frame, ascending.
std::vector<fft::PencilIndex> pencils_of(const MeshCut& cut, const PatchIndex& patch);

/// How many patches have points in z-pencil `pencil`.
int spreaders_of(const MeshCut& cut, const fft::PencilIndex& pencil);

}  // namespace fg
