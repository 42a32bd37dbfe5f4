// SPDX-License-Identifier: BSD-3-Clause
//
// The data that spreaders and clients of pencils share: the division, and the arrays. create_mesh
// fills in the arrays before anything runs.
#pragma once

#include <memory>

#include "forces/deposits.hpp"
#include "forces/mesh/ewald_constants.hpp"
#include "forces/mesh/mesh_client.hpp"
#include "forces/mesh/mesh_frame.hpp"
#include "forces/ports.hpp"

namespace fg {

template <class Real>
class MeshSpreader;

template <class Real>
struct MeshSetup {
  MeshDivision division;
  EwaldConstants constants;  // deposited by x-pencil (0, 0) with its own energy
  Array<PatchPort<Real>> patches;
  Deposits deposits;
  int interval = 1;  // steps between two rounds of the mesh

  Array<MeshSpreader<Real>> spreaders{};
  fft::Pencils<MeshClient<Real>> pencils{};

  /// The number of objects that make one deposit of energies on an energy step.
  int depositors() const noexcept { return division.pencils.pencils(); }
};

}  // namespace fg
