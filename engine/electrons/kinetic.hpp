// SPDX-License-Identifier: BSD-3-Clause
//
// The kinetic energy of one state on its half sphere, and its share of the state's force.
// Units: hartree, bohr.
// Source: Payne et al., Rev. Mod. Phys. 64, 1045 (1992), section II.D.
#pragma once

#include <complex>
#include <span>

namespace fg::electrons {

/// sum over all G of |G|^2 |c|^2 / 2: with the weight 2 of the half sphere, the sum of |G|^2 |c|^2.
/// `squares` and `coefficients` [waves]. Added up in eight parts, in the order of the waves.
double kinetic_energy(std::span<const double> squares,
                      std::span<const std::complex<double>> coefficients) noexcept;

/// Adds -f |G|^2 c / 2, which is -1/w of the derivative of f times the energy by c*, to `force`
/// [waves]; f is `occupation`, w the weight of a wave.
void add_kinetic_force(std::span<const double> squares,
                       std::span<const std::complex<double>> coefficients, double occupation,
                       std::span<std::complex<double>> force) noexcept;

namespace reference {

/// The same, wave by wave over the whole sphere.
double kinetic_energy(std::span<const double> squares,
                      std::span<const std::complex<double>> coefficients) noexcept;

}  // namespace reference
}  // namespace fg::electrons
