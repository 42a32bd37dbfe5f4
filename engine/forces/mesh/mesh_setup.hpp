// SPDX-License-Identifier: BSD-3-Clause
//
// The data that spreaders and clients of pencils share: the division, and the arrays. The function
// create_mesh fills in the arrays before anything runs.
#pragma once

#include <memory>

#include "forces/deposits.hpp"
#include "forces/mesh/charge_collector.hpp"
#include "forces/mesh/charge_sums.hpp"
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
  std::shared_ptr<ChargeSums> sums{};
  // With several processes:
  Array<ChargeCollector<Real>> collectors{};
  int pes_a_process = 1;

  /// The collector in a process that serves a z-pencil of another one.
  int collector_of(int pencil, int process) const noexcept {
    return process * pes_a_process + pencil % pes_a_process;
  }

  /// The number of objects that make one deposit of energies on an energy step.
  int depositors() const noexcept { return division.pencils.pencils(); }
};

}  // namespace fg
