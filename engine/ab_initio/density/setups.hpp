// SPDX-License-Identifier: BSD-3-Clause
//
// What the parts of the density get from the assembly: constants that they share, and the ways to
// other objects. These are filled in after all arrays have been created and before anything runs.
#pragma once

#include <memory>
#include <vector>

#include "ab_initio/density/density.hpp"
#include "ab_initio/division/basis.hpp"
#include "ab_initio/division/costs.hpp"
#include "ab_initio/ions/ion_costs.hpp"
#include "ab_initio/ions/ion_tables.hpp"
#include "ab_initio/ions/ion_transforms.hpp"
#include "ab_initio/orbitals/orbital_points.hpp"
#include "electrons/exchange_correlation/functional.hpp"
#include "fft/chares/sphere_array.hpp"
#include "runtime/runtime.hpp"

namespace fg::ab_initio {

struct DensitySetup {
  const Job* job = nullptr;
  const Basis* basis = nullptr;
  std::shared_ptr<const IonTables> tables;
  std::shared_ptr<const electrons::Functional> functional;
  /// If local potential and core are by splines.
  std::shared_ptr<const IonTransforms> ion_splines;
  TransformCosts density_costs;
  IonCosts ion_costs;
  fft::SphereArray<double> density_transforms, ion_transforms;
  std::vector<Section<OrbitalPoints>> points_of;  // of all blocks of a spin, by spin and part
  Reduction<double> density_energies, density_forces;
};

}  // namespace fg::ab_initio
