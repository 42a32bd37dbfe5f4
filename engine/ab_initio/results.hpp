// SPDX-License-Identifier: BSD-3-Clause
//
// The results of a run. What the objects of all processes have is brought together in process 0.
// Its file is ground_state.h5.
#pragma once

#include <complex>
#include <span>
#include <string>

#include "ab_initio/objects.hpp"
#include "ab_initio/results/ground_state.hpp"
#include "runtime/runtime.hpp"
#include "transport/transport.hpp"

namespace fg::ab_initio {

/// The digest of a part of a block of orbitals.
std::string coefficients_digest(std::span<const std::complex<double>> coefficients);
/// The SHA-256 of the digests of all parts of all blocks of orbitals, in their order. Energies,
/// forces and stress are added to it.
std::string state_digest(std::span<const std::string> parts, const GroundState& result);

/// Called by all processes after a run, with the positions of the ions in each. Adds the digest,
/// what is known of a molecule, and the density if the job asks for it.
void gather_results(const Objects& objects, Transport* transport, GroundState& result);

/// Replaces the file.
void save_ground_state(const std::string& path, const Job& job, const GroundState& result);

}  // namespace fg::ab_initio
