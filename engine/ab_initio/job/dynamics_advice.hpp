// SPDX-License-Identifier: BSD-3-Clause
//
// Whether the time step and the fictitious mass of a Car-Parrinello dynamics make sense, in words
// for the log. Formulas and units: electrons/orbitals/orbital_frequencies.hpp.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ab_initio/job/dynamics_settings.hpp"

namespace fg::ab_initio {

/// What is known of a job and, after the search, of its ground state.
struct KnownOrbitals {
  double occupation = 2;
  double cutoff = 0;       // of |G|^2 / 2 of a wave
  double largest = 0;      // kinetic energy of a wave, if an effective cutoff makes it larger
  bool finds_gap = false;  // after the search, by empty orbitals
  /// Ascending, of one spin; empty before the search. Empty orbitals are not among them.
  std::vector<double> eigenvalues;
};

/// For Car-Parrinello dynamics only, of a job before its run. Throws InputError if the time step is
/// certainly longer than the orbitals allow, whatever the potential.
void check_timestep(const DynamicsSettings& settings, const KnownOrbitals& orbitals);

/// Takes the eigenvalues of the ground state for an estimate that is good to a tenth. Throws
/// NumericsError if the time step is above `surely_unstable` of the longest one.
void check_estimated_timestep(const DynamicsSettings& settings, const KnownOrbitals& orbitals);
inline constexpr double surely_unstable = 1.2;

struct DynamicsAdvice {
  std::vector<std::pair<std::string, std::string>> lines;  // name, text
  std::vector<std::string> warnings;
};

/// Frequencies of orbitals and ions and the longest time step; nothing for other dynamics. `masses`
/// are those of the ions. Warns if the time step is near its estimated limit. Warns also if
/// orbitals with this mass are faster than ions only with a large gap.
DynamicsAdvice advise(const DynamicsSettings& settings, const KnownOrbitals& orbitals,
                      std::span<const double> masses);

/// Compares the lowest frequency of the orbitals, sqrt(f gap / m0), with the highest one of the
/// ions. `gap` is between the highest occupied orbital and the lowest empty one [hartree]. Warns if
/// the frequency of the orbitals is less than `enough_apart` times that of the ions. Source:
/// Pastore, Smargiassi and Buda, Phys. Rev. A 44, 6334 (1991), where f is 2.
DynamicsAdvice advise_of_gap(const DynamicsSettings& settings, const KnownOrbitals& orbitals,
                             double gap, std::span<const double> masses);
/// The frequency of ions is that of a usual bond, and some are faster by a fifth. The frequency of
/// orbitals is an upper bound.
inline constexpr double enough_apart = 1.5;

}  // namespace fg::ab_initio
