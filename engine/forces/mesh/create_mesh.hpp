// SPDX-License-Identifier: BSD-3-Clause
//
// Makes the spreaders and pencils of a mesh and connects them.
#pragma once

#include <memory>

#include "forces/mesh/mesh_client.hpp"
#include "forces/mesh/mesh_spreader.hpp"

namespace fg {

/// Fills in the arrays of `setup`. `create.template operator()<C>(shape, factory)` makes an array,
/// like Runtime::create_array with a map of the caller's choice. Throws InputError for invalid
/// settings.
template <class Real, class Create>
void create_mesh(const std::shared_ptr<MeshSetup<Real>>& setup, Create&& create) {
  check_mesh(setup->division.settings);
  setup->sums = std::make_shared<ChargeSums>(setup->division);
  const std::shared_ptr<const MeshSetup<Real>> shared = setup;
  setup->spreaders = create.template operator()<MeshSpreader<Real>>(
      setup->division.patches.shape(),
      [shared](const auto& index) { return std::make_unique<MeshSpreader<Real>>(shared, index); });
  setup->pencils = fft::create_pencils(setup->division.pencils, MeshClient<Real>{shared}, create);
}

/// Called by all processes, if there are several, after create_mesh.
template <class Real>
void create_charge_collectors(const std::shared_ptr<MeshSetup<Real>>& setup, Runtime& runtime) {
  setup->pes_a_process = runtime.pes_here();
  setup->collectors = runtime.create_array<ChargeCollector<Real>>(
      {runtime.pes()}, [](const auto& index) { return index[0]; },
      [shared = std::shared_ptr<const MeshSetup<Real>>(setup)](const auto&) {
        return std::make_unique<ChargeCollector<Real>>(shared);
      });
}

}  // namespace fg
