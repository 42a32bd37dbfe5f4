// SPDX-License-Identifier: BSD-3-Clause
//
// What the leader, and those who decide for it, get from the assembly.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "ab_initio/density/density.hpp"
#include "ab_initio/division/basis.hpp"
#include "ab_initio/ions/ion_tables.hpp"
#include "ab_initio/matrices/ortho.hpp"
#include "ab_initio/orbitals/orbitals.hpp"
#include "ab_initio/orbitals/projector_writer.hpp"
#include "ab_initio/orbitals/search_state.hpp"
#include "ab_initio/orders/dynamics_state.hpp"
#include "ab_initio/results/progress_queue.hpp"
#include "processes/memory_turns.hpp"
#include "runtime/runtime.hpp"

namespace fg::ab_initio {

/// The sections have all elements, which get messages along trees of processes. They are filled in
/// after all arrays have been created and before anything runs.
struct LeaderSetup {
  const Job* job = nullptr;
  std::shared_ptr<const IonTables> tables;
  ProgressQueue* progress = nullptr;
  std::int64_t stop_after = -1;  // an iteration or step; negative: none
  double companion_seconds = 0;  // the longest wait for one answer of the program beside the run
  Section<Orbitals> all_orbitals;
  Section<Density> all_densities;
  Section<Ortho> all_tiles;
  Array<Ortho> ortho;
  Section<ProjectorWriter> placing;        // those of parts that have orbitals in their process
  Section<ProjectorWriter> changing_cell;  // the first one of each such part and process
};

/// What is known of a run, in process 0; the assembly says before each run what is wanted.
struct RunSetup {
  const Job* job = nullptr;
  const Basis* basis = nullptr;
  const Transport* transport = nullptr;
  ProgressQueue* progress = nullptr;
  int atomic_orbitals = 0;
  bool stored = false;  // there are orbitals to start from
  /// The states of the run that goes on.
  std::optional<SearchState> goes_on;
  std::optional<DynamicsState> dynamics;  // with `goes_on`, if its steps have begun
  /// When states are kept in memory.
  std::shared_ptr<MemoryTurns> memory = std::make_shared<MemoryTurns>();
  /// The gap of the ground state, if a dynamics knows its empty orbitals.
  std::optional<double> gap;
  /// A dynamics begins with the ground state.
  enum class Wanted { ground_state, dynamics, more_dynamics } wanted = Wanted::ground_state;
  /// Where the ions are in the next run. `starts_from_last`: it starts from the orbitals with which
  /// the last run has ended. Without positions: as the job says.
  std::vector<Vec3> positions;
  std::optional<electrons::Lattice> cell;  // with positions; without: that of the job
  bool starts_from_last = false;

  /// Whether a dynamics follows the ground state.
  bool moves() const noexcept { return wanted != Wanted::ground_state; }
};

}  // namespace fg::ab_initio
