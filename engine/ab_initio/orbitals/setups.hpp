// SPDX-License-Identifier: BSD-3-Clause
//
// What the objects of this room get from the assembly: constants that they share, and the ways to
// other objects. These are filled in after all arrays have been created and before anything runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "ab_initio/division/basis.hpp"
#include "ab_initio/division/cell_waves.hpp"
#include "ab_initio/division/costs.hpp"
#include "ab_initio/ions/ion_costs.hpp"
#include "ab_initio/ions/ion_tables.hpp"
#include "ab_initio/matrices/pair_calculator.hpp"
#include "ab_initio/orbitals/nonlocal_splines.hpp"
#include "ab_initio/orbitals/orbital_points.hpp"
#include "ab_initio/orbitals/orbitals.hpp"
#include "ab_initio/orbitals/projector_writer.hpp"
#include "ab_initio/orbitals/spline_points.hpp"
#include "ab_initio/orbitals/stored_orbitals.hpp"
#include "electrons/nonlocal/projector_coupling.hpp"
#include "electrons/nonlocal/projectors.hpp"
#include "fft/chares/sphere_array.hpp"
#include "fft/sphere/slab_points.hpp"
#include "runtime/runtime.hpp"

namespace fg::ab_initio {

/// The projectors by part of the waves; null if no orbitals of the part are in this process.
using ProjectorsOfParts = std::vector<std::shared_ptr<electrons::Projectors>>;

struct OrbitalsSetup {
  const Job* job = nullptr;
  const Basis* basis = nullptr;
  std::shared_ptr<const IonTables> tables;
  /// The projector writers write them.
  ProjectorsOfParts projectors;
  std::size_t projector_count = 0;  // rows of all ions
  /// They take the place of the projectors of parts, if the nonlocal part is by splines.
  std::shared_ptr<const NonlocalSplines> splines;
  /// The orbitals to start from; null: those that the job says.
  std::shared_ptr<const StoredOrbitals> stored;
  TransformCosts orbital_costs;
  IonCosts ion_costs;
  fft::SphereArray<double> orbital_transforms, spline_transforms;
  Array<SplinePoints> spline_points;
  std::vector<Section<PairCalculator>> listeners;  // of each chunk of orbitals, by block and chunk
  std::vector<Section<PairCalculator>> own_pairs;  // those of them that have the block's columns
  std::vector<Reduction<double>> projections;      // by block
  Reduction<double> orbital_sums, largest, search, orbital_forces;
};

struct OrbitalPointsSetup {
  const Job* job = nullptr;
  const Basis* basis = nullptr;
  /// The slabs by part of the points; null if no orbitals of the part are in this process.
  std::vector<std::shared_ptr<const fft::SlabPoints<double>>> slabs;
  TransformCosts orbital_costs;
  fft::SphereArray<double> orbital_transforms;
  Array<Orbitals> orbitals;
  std::vector<Reduction<std::int64_t>> density_sums;  // by spin and part of the density

  const Reduction<std::int64_t>& density_sum(int spin, int part) const noexcept {
    return density_sums[static_cast<std::size_t>(spin * basis->density_parts() + part)];
  }
};

struct SplinePointsSetup {
  const Job* job = nullptr;
  const Basis* basis = nullptr;
  std::size_t projector_count = 0;
  std::shared_ptr<const NonlocalSplines> splines;
  fft::SphereArray<double> spline_transforms;
  Array<Orbitals> orbitals;
  std::vector<Reduction<double>> projections;  // by block
};

struct ProjectorWriterSetup {
  const Basis* basis = nullptr;
  ProjectorsOfParts projectors;
  /// The waves by part of the waves, in the cell of the projectors; null as these.
  std::vector<std::shared_ptr<CellWaves>> projector_waves;
  electrons::ProjectorCoupling projector_rows{{}, {}};
  IonCosts ion_costs;
  std::shared_ptr<NonlocalSplines> splines;
  // By process and part of the waves: all writers, and the sums of the rows that they have written.
  std::vector<Section<ProjectorWriter>> writers;
  std::vector<Reduction<double>> placed;
};

}  // namespace fg::ab_initio
