// SPDX-License-Identifier: BSD-3-Clause
//
// The part of a job that says how electrons and ions move. It is read, checked, put in words, and
// added to the digest that checkpoints name. Units: Hartree atomic units.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ab_initio/job/dynamics_advice.hpp"
#include "ab_initio/job/job.hpp"
#include "base/sha256.hpp"
#include "records/hdf5/hdf5.hpp"

namespace fg::ab_initio {

/// Sets dynamics and velocities of a job whose ions have been read. A file without the group
/// /dynamics is that of a ground state, and sets nothing. Only what the kind of dynamics and its
/// baths need has to be there. Throws InputError that names file and object.
void read_dynamics(const h5::Reader& file, Job& job);

/// The attributes of /dynamics, of every kind.
std::vector<KeyDescription> dynamics_keys();

/// What is known of the orbitals before their ground state.
KnownOrbitals known_orbitals(const Job& job);

/// The words for the log, with advice on time step and mass; nothing for a ground state.
std::vector<std::pair<std::string, std::string>> describe_dynamics(const Job& job);

/// Adds all on which the trajectory depends besides positions and electrons. The number of steps
/// and the choice of written steps are left out, because a run may be made longer. A ground state
/// adds nothing.
void add_dynamics(Sha256& sum, const Job& job);

}  // namespace fg::ab_initio
