// SPDX-License-Identifier: BSD-3-Clause
//
// checkpoint.h5 of an ab initio run. It has the orbitals. Until the ground state is found, it also
// has all that the search needs to continue to the same bits. The file is written block by block,
// so that no process holds all of it. It is sealed and synced, and only then takes the place of the
// last one, which becomes checkpoint_previous.h5.
#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "ab_initio/division/basis.hpp"
#include "ab_initio/ions/ion_places.hpp"
#include "ab_initio/job/job.hpp"
#include "ab_initio/orbitals/orbitals.hpp"
#include "ab_initio/orbitals/search_state.hpp"
#include "ab_initio/orders/dynamics_state.hpp"
#include "runtime/runtime.hpp"
#include "transport/transport.hpp"

namespace fg::ab_initio {

/// A digest of all on which the orbitals, or the way to them, depend. It covers the job without its
/// own cell and positions, and this cell and these positions.
std::string job_digest(const Job& job, std::span<const Vec3> positions,
                       const electrons::Lattice& cell);
/// The same with the cell and the positions of the job.
std::string job_digest(const Job& job);

/// Where the parts of a checkpoint are.
struct KeptParts {
  const Job* job;
  const Basis* basis;
  Transport* transport;
  Array<Orbitals> orbitals;
  // In process 0:
  const IonPlaces* ions;
  std::span<const double> energies;  // <psi|H|psi>, [orbitals][orbitals]
};

/// Called by all processes between runs. Process 0 writes the file `path`. It has `state.pairs`
/// vectors of the search (the same number in all processes), and `dynamics->past` vectors of a
/// dynamics. Process 0 returns the error of a file instead of throwing it, since the others go on.
std::exception_ptr keep_orbitals(const KeptParts& parts, const std::string& path,
                                 const SearchState& state,
                                 const std::optional<DynamicsState>& dynamics = std::nullopt);

/// The state of a search, from a checkpoint of this job. Throws InputError, which names the one
/// before, if it is damaged, and if it is of another job.
SearchState load_search(const std::string& path, const Job& job);
/// A dynamics in the same file, after load_search; nothing if no step had begun. Throws InputError.
std::optional<DynamicsState> load_dynamics(const std::string& path, const Job& job);

}  // namespace fg::ab_initio
