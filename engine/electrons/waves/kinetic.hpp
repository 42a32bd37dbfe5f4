// SPDX-License-Identifier: BSD-3-Clause
//
// The virial of the kinetic energy of orbitals on a half sphere of waves; the energy and its force
// are kinetic_line of ab_initio/orbitals/orbital_lines.hpp. Units: hartree, bohr. Source: Payne et
// al., Rev. Mod. Phys. 64, 1045 (1992), section II.D; the strain: Nielsen and Martin, Phys. Rev. B
// 32, 3792 (1985).
#pragma once

#include <complex>
#include <cstddef>
#include <span>

#include "base/virial.hpp"
#include "electrons/waves/plane_waves.hpp"

namespace fg::electrons {

/// Adds f sum over all G of G_a G_b |c|^2 of the orbitals in `block` [orbitals][waves]: this
/// share's part of minus the derivative of f times their energy by the strain [hartree]. With
/// `slopes` [waves] the kinetic energy is not |G|^2 / 2 but q / 2, and these are dq / d|G|^2
/// (effective_cutoff.hpp).
void add_kinetic_virial(const PlaneWaves& waves, std::span<const std::complex<double>> block,
                        std::size_t orbitals, double occupation, Virial& virial,
                        std::span<const double> slopes = {});

}  // namespace fg::electrons
