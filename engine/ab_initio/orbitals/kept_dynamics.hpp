// SPDX-License-Identifier: BSD-3-Clause
//
// The group /dynamics of a checkpoint: the state of a dynamics. Tables of orbitals in it are
// written and read as those of a search (kept_orbitals.hpp, stored_orbitals.hpp).
#pragma once

#include <optional>
#include <string>

#include "ab_initio/job/job.hpp"
#include "ab_initio/orders/dynamics_state.hpp"
#include "records/hdf5/hdf5.hpp"

namespace fg::ab_initio {

namespace kept {
inline const std::string velocity = "dynamics/orbital_velocity";
inline const std::string free = "dynamics/free_orbitals";
std::string past(int age);  // orbitals of a step before; 0 is the newest
}  // namespace kept

/// Orbitals that are remembered of each: of steps of a dynamics, or of searches at one geometry
/// after the other.
int past_orbitals(const Job& job) noexcept;

/// Makes the group. Throws ResourceError that names `path`.
void write_dynamics_state(hid_t root, const DynamicsState& state, const std::string& path);

/// Empty if the file is one of a search. Throws InputError that names file and object if something
/// is missing, of the wrong size, or not a number.
std::optional<DynamicsState> read_dynamics_state(const h5::Reader& file, const Job& job);

}  // namespace fg::ab_initio
