// SPDX-License-Identifier: BSD-3-Clause
//
// The kinetic energy of one state on its half sphere, its share of the state's force, and its
// virial. Units: hartree, bohr. Source: Payne et al., Rev. Mod. Phys. 64, 1045 (1992), section
// II.D; the strain: Nielsen and Martin, Phys. Rev. B 32, 3792 (1985).
#pragma once

#include <complex>
#include <cstddef>
#include <span>

#include "base/virial.hpp"
#include "electrons/plane_waves.hpp"

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

/// Adds f sum over all G of G_a G_b |c|^2 of the orbitals in `block` [orbitals][waves]: this
/// share's part of minus the derivative of f times their energy by the strain [hartree].
void add_kinetic_virial(const PlaneWaves& waves, std::span<const std::complex<double>> block,
                        std::size_t orbitals, double occupation, Virial& virial);

namespace reference {

/// The same, wave by wave over the whole sphere.
double kinetic_energy(std::span<const double> squares,
                      std::span<const std::complex<double>> coefficients) noexcept;
void add_kinetic_virial(const PlaneWaves& waves, std::span<const std::complex<double>> block,
                        std::size_t orbitals, double occupation, Virial& virial);

}  // namespace reference
}  // namespace fg::electrons
