// SPDX-License-Identifier: BSD-3-Clause
//
// What the objects of an ab initio run share: the job, its basis, tables, the arrays of objects and
// the ways between them. Filled in by the assembly before the first run.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "ab_initio/checkpoints/stored_orbitals.hpp"
#include "ab_initio/density/density.hpp"
#include "ab_initio/division/basis.hpp"
#include "ab_initio/division/cell_waves.hpp"
#include "ab_initio/division/costs.hpp"
#include "ab_initio/division/matrix_tiles.hpp"
#include "ab_initio/division/spin_blocks.hpp"
#include "ab_initio/division/subspace.hpp"
#include "ab_initio/ions/ion_tables.hpp"
#include "ab_initio/ions/ion_transforms.hpp"
#include "ab_initio/job/job.hpp"
#include "ab_initio/leader/leader.hpp"
#include "ab_initio/matrices/ortho.hpp"
#include "ab_initio/matrices/pair_calculator.hpp"
#include "ab_initio/orbitals/nonlocal_splines.hpp"
#include "ab_initio/orbitals/orbital_points.hpp"
#include "ab_initio/orbitals/orbitals.hpp"
#include "ab_initio/orbitals/projector_writer.hpp"
#include "ab_initio/orbitals/search_state.hpp"
#include "ab_initio/orbitals/spline_points.hpp"
#include "ab_initio/orders/dynamics_state.hpp"
#include "ab_initio/orders/force_numbers.hpp"
#include "ab_initio/results/progress_queue.hpp"
#include "electrons/exchange_correlation/functional.hpp"
#include "electrons/nonlocal/projector_coupling.hpp"
#include "electrons/nonlocal/projectors.hpp"
#include "electrons/orbitals/geometry_extrapolation.hpp"
#include "fft/chares/sphere_array.hpp"
#include "fft/sphere/slab_points.hpp"
#include "processes/memory_turns.hpp"
#include "runtime/runtime.hpp"
#include "runtime/simulated_time.hpp"

namespace fg::ab_initio {

/// Sums of the density over blocks are exact: numbers are rounded once, to 2.2e-16
/// electrons/bohr^3. A sum may reach 2048.
inline constexpr double density_scale = 4503599627370496.0;  // 2^52

struct Setup {
  const Job* job = nullptr;
  const Basis* basis = nullptr;
  ProgressQueue* progress = nullptr;
  const Transport* transport = nullptr;
  IonTables tables;
  std::unique_ptr<const electrons::Functional> functional;
  /// The projectors by part of the waves; null if no orbitals of the part are in this process. The
  /// projector writers write them.
  std::vector<std::shared_ptr<electrons::Projectors>> projectors;
  /// The slabs by part of the points; null as above.
  std::vector<std::shared_ptr<const fft::SlabPoints<double>>> slabs;
  /// The waves by part of the waves, in the cell of the projectors; null as above.
  std::vector<std::shared_ptr<CellWaves>> projector_waves;
  std::size_t projector_count = 0;  // rows of all ions
  electrons::ProjectorCoupling projector_rows{{}, {}};
  /// The orbitals to start from; null: those that the job says.
  std::shared_ptr<const StoredOrbitals> stored;
  /// The potential of a ground state, if orbitals do not change it; null: it follows them.
  std::shared_ptr<const FixedPotential> fixed;
  /// In process 0: the states of the run that goes on.
  std::optional<SearchState> goes_on;
  std::optional<DynamicsState> dynamics;  // with `goes_on`, if its steps have begun
  /// In process 0, of the next run: where the ions are, and whether it starts from the orbitals
  /// with which the last one has ended. Without positions: as the job says.
  std::vector<Vec3> positions;
  std::optional<electrons::Lattice> cell;  // with positions; without: that of the job
  bool starts_from_last = false;
  /// Process 0 knows when states are kept in memory.
  std::unique_ptr<MemoryTurns> memory = std::make_unique<MemoryTurns>();
  /// In process 0, of a dynamics that knows its empty orbitals: the gap of the ground state.
  std::optional<double> gap;
  std::int64_t stop_after = -1;  // an iteration; negative: none
  double companion_seconds = 0;  // the longest wait for one answer of the program beside the run
  /// In process 0: what the next run does; a dynamics begins with the ground state.
  enum class Wanted { ground_state, dynamics, more_dynamics } wanted = Wanted::ground_state;
  /// They take the place of the projectors of parts, if the nonlocal part is by splines.
  std::unique_ptr<NonlocalSplines> splines;
  /// If local potential and core are by splines.
  std::unique_ptr<IonTransforms> ion_splines;
  TransformCosts orbital_costs, density_costs;
  MatrixTiles matrix_tiles{1, 0};
  MatrixPieces pieces;

  Array<Orbitals> orbitals;
  Array<OrbitalPoints> points;
  Array<SplinePoints> spline_points;
  Array<Density> density;
  Array<PairCalculator> pairs;
  Array<Ortho> ortho;
  Array<Leader> leader;
  Array<ProjectorWriter> projector_writers;  // by process, part of the waves, share of the ions
  fft::SphereArray<double> orbital_transforms, density_transforms, spline_transforms,
      ion_transforms;

  // All elements, which get messages along trees of processes.
  Section<Orbitals> all_orbitals;
  Section<Density> all_densities;
  Section<PairCalculator> all_pairs;
  Section<Ortho> all_tiles;
  std::vector<Section<PairCalculator>> listeners;  // of each chunk of orbitals, by block and chunk
  std::vector<Section<PairCalculator>> own_pairs;  // those of them that have the block's columns
  std::vector<Section<OrbitalPoints>> points_of;   // of all blocks of a spin, by spin and part
  std::vector<Section<PairCalculator>> listeners_of_tile;  // by ordinal
  std::vector<Section<Ortho>> tile_rows, tile_columns;
  Section<ProjectorWriter> placing;        // those of parts that have orbitals in their process
  Section<ProjectorWriter> changing_cell;  // the first one of each such part and process
  std::vector<Section<ProjectorWriter>> writers;      // all, by process and part of the waves
  std::vector<Reduction<double>> placed;              // rows, by process and part of the waves
  std::vector<Reduction<double>> projections;         // by block
  std::vector<Reduction<double>> piece_sums;          // by piece
  std::vector<Reduction<std::int64_t>> density_sums;  // by spin and part of the density
  Reduction<double> orbital_sums, largest, search, density_energies;
  Reduction<double> orbital_forces, density_forces;
  Reduction<double> residuals, deviations;  // of inverse square roots in tiles

  /// The blocks of a group.
  fft::Range group(int c) const noexcept { return fft::share(basis->blocks(), pair_groups(), c); }
  int group_of(int block) const noexcept {
    return fft::owner(basis->blocks(), pair_groups(), block);
  }
  int pair_groups() const noexcept { return job->cut.pair_groups; }
  /// Matrices of overlaps that an order may need at once.
  int matrices_of_order() const noexcept {
    return job->dynamics.kind == DynamicsKind::car_parrinello ? 3 : 2;
  }
  /// Orbitals that are remembered of each: of steps of a dynamics, or of searches at one geometry
  /// after the other.
  int past_orbitals() const noexcept {
    return job->dynamics.kind == DynamicsKind::none
               ? static_cast<int>(electrons::most_past_geometries)
               : job->dynamics.predictor_order + 2;
  }
  /// The start from atomic orbitals needs it.
  SubspaceOfSpins subspace() const { return {*basis, static_cast<int>(tables.orbitals().count())}; }
  const Reduction<std::int64_t>& density_sum(int spin, int part) const noexcept {
    return density_sums[static_cast<std::size_t>(spin * basis->density_parts() + part)];
  }
  /// What a pair calculator has of the matrices of all orbitals.
  MatrixShare share(int b, int c) const noexcept {
    const fft::Range blocks = group(c);
    return {{basis->block(blocks.begin).begin, basis->block(blocks.end - 1).end}, basis->block(b)};
  }
};

}  // namespace fg::ab_initio
