// SPDX-License-Identifier: BSD-3-Clause
//
// Makes the spreaders and pencils of a mesh and connects them.
#pragma once

#include <memory>

#include "forces/mesh/mesh_pencils.hpp"
#include "forces/mesh/mesh_spreader.hpp"

namespace fg {

/// Fills in the arrays of `setup`. `create.template operator()<C>(shape, factory)` makes an array,
/// like Runtime::create_array with a map of the caller's choice. Throws InputError for invalid
/// settings.
template <class Real, class Create>
void create_mesh(const std::shared_ptr<MeshSetup<Real>>& setup, Create&& create) {
  check_mesh(setup->cut.settings);
  const std::shared_ptr<const MeshSetup<Real>> shared = setup;
  const auto make = [&]<class C>(const auto& shape) {
    return create.template operator()<C>(
        shape, [shared](const auto& index) { return std::make_unique<C>(shared, index); });
  };
  setup->spreaders = make.template operator()<MeshSpreader<Real>>(setup->cut.patches.shape());
  setup->z_pencils = make.template operator()<ZPencil<Real>>(setup->cut.pencils.grid());
  setup->y_pencils = make.template operator()<YPencil<Real>>(setup->cut.pencils.grid());
  setup->x_pencils = make.template operator()<XPencil<Real>>(setup->cut.pencils.grid());
  setup->exchanges.make(setup->cut.pencils, setup->z_pencils, setup->y_pencils, setup->x_pencils);
}

}  // namespace fg
