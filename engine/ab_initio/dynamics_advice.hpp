// SPDX-License-Identifier: BSD-3-Clause
//
// Whether the time step and the fictitious mass of a Car-Parrinello dynamics make sense, in words
// for the log. Formulas and units: electrons/orbital_frequencies.hpp.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ab_initio/dynamics_settings.hpp"

namespace fg::ab_initio {

/// What is known of a job and, after the search, of its ground state.
struct KnownOrbitals {
  double occupation = 2;
  double cutoff = 0;  // of the kinetic energy of a wave
  /// Ascending, of one spin; empty before the search. Empty orbitals are not among them.
  std::vector<double> eigenvalues;
};

/// Throws InputError if the time step is longer than the orbitals allow for certain, whatever the
/// potential; of Car-Parrinello dynamics only. For a job, before its run.
void check_timestep(const DynamicsSettings& settings, const KnownOrbitals& orbitals);

/// With the eigenvalues of the ground state, as an estimate that is good to a tenth: throws
/// NumericsError if the time step is above `surely_unstable` of the longest one.
void check_estimated_timestep(const DynamicsSettings& settings, const KnownOrbitals& orbitals);
inline constexpr double surely_unstable = 1.2;

struct DynamicsAdvice {
  std::vector<std::pair<std::string, std::string>> lines;  // name, text
  std::vector<std::string> warnings;
};

/// Frequencies of orbitals and ions and the longest time step; nothing for other dynamics. `masses`
/// are those of the ions. Warns if the time step is near its estimated limit, or if orbitals with
/// this mass are faster than ions only with a large gap.
DynamicsAdvice advise(const DynamicsSettings& settings, const KnownOrbitals& orbitals,
                      std::span<const double> masses);

}  // namespace fg::ab_initio
