// SPDX-License-Identifier: BSD-3-Clause
//
// The mass of coefficients that move as particles. A wave G of kinetic energy t = |G|^2 / 2 has
//   m(G) = m0 max(1, t / t0).
// So waves above the cutoff t0 move no faster than those at it.
//
// The convention is that of the usual programs, so that m0 means the same. With orbitals of norm 1,
// the fictitious kinetic energy is
//   K = sum over orbitals of <psi'|m|psi'>.
// This is the sum of w m(G) |c'|^2 over the half sphere of each orbital. It has neither 1/2 nor the
// occupation f. With F = -(1/w) dE/dc* = -f (H psi)(G), the Lagrangian K - E gives
//   m(G) c'' = F
// without a factor: the derivatives of K and E by Re c and Im c are 2 w m c' and -2 w F. So a pair
// of an occupied and an empty orbital swings with omega^2 = f (e_empty - e_occupied) / m. Source:
// Car and Parrinello, Phys. Rev. Lett. 55, 2471 (1985); the mass: Tassone, Mauri and Car, Phys.
// Rev. B 50, 10561 (1994). Units: Hartree atomic units; masses in electron masses.
#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

namespace fg::electrons {

struct FictitiousMass {
  double mass = 0;    // m0
  double cutoff = 0;  // t0, a kinetic energy; infinity: all waves have the mass m0

  /// The mass of a wave with this |G|^2 / 2.
  double of(double kinetic_energy) const noexcept {
    return kinetic_energy > cutoff ? mass * (kinetic_energy / cutoff) : mass;
  }
};

/// The mass of each wave of these |G|^2 [waves]. Throws InputError if m0 is not above 0 and finite,
/// or t0 not above 0.
std::vector<double> masses_of_waves(const FictitiousMass& mass, std::span<const double> squares);

/// <psi'|m|psi'> of the velocities of one orbital's coefficients, this share's part: the sum of w m
/// |c'|^2. The weight w is 1 for the wave `zero` (-1: it is in another share), and 2 for all
/// others. `masses` and `velocities` [waves]. Added up in eight parts, in the order of the waves.
double fictitious_kinetic_energy(std::span<const double> masses, std::ptrdiff_t zero,
                                 std::span<const std::complex<double>> velocities) noexcept;

}  // namespace fg::electrons
