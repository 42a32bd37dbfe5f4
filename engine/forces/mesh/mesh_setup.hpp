// SPDX-License-Identifier: BSD-3-Clause
//
// What all objects of the mesh share: the cut, and who is who. The arrays are filled in by
// create_mesh before anything runs.
#pragma once

#include <memory>

#include "forces/mesh/ewald_constants.hpp"
#include "forces/mesh/mesh_exchanges.hpp"
#include "forces/mesh/mesh_frame.hpp"
#include "forces/ports.hpp"

namespace fg {

template <class Real>
class MeshSpreader;

template <class Real>
struct MeshSetup {
  MeshCut cut;
  EwaldConstants constants;  // deposited by x-pencil (0, 0) with its own energy
  Array<PatchPort<Real>> patches;
  Array<LedgerPort> ledger;

  Array<MeshSpreader<Real>> spreaders{};
  Array<ZPencil<Real>> z_pencils{};
  Array<YPencil<Real>> y_pencils{};
  Array<XPencil<Real>> x_pencils{};
  MeshExchanges<Real> exchanges{};

  /// Objects that deposit energies once each on an energy step.
  int depositors() const noexcept { return cut.pencils.pencils(); }
};

}  // namespace fg
