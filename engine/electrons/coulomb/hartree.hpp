// SPDX-License-Identifier: BSD-3-Clause
//
// The electrostatic energy and potential of a density on its half sphere. A background makes the
// cell neutral:
//   V(G) = 4 pi rho(G) / G^2,  V(0) = 0,  E = V/2 sum over G != 0 of 4 pi |rho|^2 / G^2.
// rho(G) [1/bohr^3] is the mean over the cell of rho(r) exp(-i G . r). Units: hartree, bohr.
// Source: Payne et al., Rev. Mod. Phys. 64, 1045 (1992), section II.D; the strain: Nielsen and
// Martin, Phys. Rev. B 32, 3792 (1985).
#pragma once

#include <complex>
#include <span>

#include "base/virial.hpp"
#include "electrons/waves/plane_waves.hpp"

namespace fg::electrons {

/// Returns the energy and writes the potential [hartree]; all arrays [waves]. The derivative of the
/// energy by rho(G)* is the volume times w / 2 times the potential. Here w is the weight of the
/// wave.
double hartree(const PlaneWaves& waves, std::span<const std::complex<double>> density,
               std::span<std::complex<double>> potential) noexcept;

/// Adds this share's part of minus the derivative of the energy by the strain [hartree], with V
/// rho(G) held constant. `potential` is that of the density.
void add_hartree_virial(const PlaneWaves& waves, std::span<const std::complex<double>> density,
                        std::span<const std::complex<double>> potential, Virial& virial);

}  // namespace fg::electrons
