// SPDX-License-Identifier: BSD-3-Clause
//
// Empty orbitals: after the ground state, the lowest orbitals in its potential, more of them than
// are occupied. They are the orbitals with the smallest sum of energies. H does not change any
// more, so the search for the ground state finds them too. Its density only gives their energy. The
// occupied ones are found again among them. If they are not the lowest, electrons occupy orbitals
// above an empty one. Units: hartree.
#pragma once

#include <array>
#include <complex>
#include <memory>
#include <vector>

#include "ab_initio/job/job.hpp"
#include "ab_initio/results/ground_state.hpp"
#include "base/aligned_vector.hpp"

namespace fg::ab_initio {

/// The whole local potential of each spin (one without spin) in the waves of a part of the density.
/// It is empty for parts of other processes.
using PotentialOfPart = std::vector<AlignedVector<std::complex<double>>>;
struct FixedPotential {
  std::vector<PotentialOfPart> parts;
};

/// The job of a search for so many orbitals in a fixed potential.
Job job_of_more_orbitals(const Job& job);

/// The empty orbitals, from the energies of the lowest ones (those of up first): all that are not
/// the occupied ones.
EmptyOrbitals empty_orbitals(const Job& job, const std::vector<double>& occupied,
                             const GroundState& lowest);

}  // namespace fg::ab_initio
