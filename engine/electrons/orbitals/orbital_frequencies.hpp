// SPDX-License-Identifier: BSD-3-Clause
//
// How fast orbitals with fictitious masses swing, and how long a time step they allow.
//
// Take a small change d of the occupied orbital with the eigenvalue e, near the ground state. To
// first order and with the potential held, m d'' = -f (H - e) d (fictitious_mass.hpp). A wave of a
// high kinetic energy t meets about the mean of the potential. So it swings with
//   omega^2 = f (t + mean potential - e) / m(t).
// The true highest frequency is not below that of any wave. Its omega^2 is the largest value of f
// <d|H - e|d> / <d|m|d>. Near nuclei the potential adds to it. A lowest eigenvalue is not above the
// mean potential (try a constant orbital), except for projectors that a constant meets. So e = 0
// without a potential gives a bound from below that needs no ground state.
//
// A pair of an occupied and an empty orbital has omega^2 = f gap / m, and m >= m0. Velocity Verlet
// is stable up to omega dt = 2. Source: Pastore et al., Phys. Rev. A 44, 6334 (1991); Marx and
// Hutter, Ab Initio Molecular Dynamics (2009), section 2.4. Units: Hartree atomic units;
// frequencies are angular.
#pragma once

#include <span>

#include "electrons/waves/fictitious_mass.hpp"

namespace fg::electrons {

struct SwingingOrbitals {
  FictitiousMass mass;
  double occupation = 2;  // f
  double cutoff = 0;      // largest kinetic energy of a wave; in a small cell below the cutoff
};

/// The highest frequency of a wave, for the lowest eigenvalue, which is 0 or below; with 0 it is
/// the bound from below. With the eigenvalue itself it is an estimate. In hydrogen, silicon and
/// water the true frequency is 0.92 to 1.02 of it (tests/reference/electrons). Throws InternalError
/// if the eigenvalue is above 0.
double highest_orbital_frequency(const SwingingOrbitals& orbitals, double lowest_eigenvalue = 0);

/// The longest time step of velocity Verlet: 2 / omega.
constexpr double longest_timestep(double highest_frequency) noexcept {
  return 2 / highest_frequency;
}

/// An upper bound of the lowest frequency: sqrt(f gap / m0). The gap is between the highest
/// occupied orbital and the lowest empty one.
double lowest_orbital_frequency(const SwingingOrbitals& orbitals, double gap) noexcept;

/// The gap with which that bound is this frequency.
double gap_of_frequency(const SwingingOrbitals& orbitals, double frequency) noexcept;

/// An estimate of the highest frequency of ions: that of the lightest mass on a spring of 0.5
/// hartree/bohr^2. This is about the frequency of an O-H bond (3600 1/cm with the mass of
/// hydrogen). Bonds between light ions are faster, H-H by a fifth; so are double and triple bonds.
/// 0 without ions.
double highest_ion_frequency(std::span<const double> masses) noexcept;

}  // namespace fg::electrons
