// SPDX-License-Identifier: BSD-3-Clause
//
// Plain twins of functions of `electrons/coulomb`. Each does what the engine's function of the same
// name does, wave by wave over the whole sphere.
#pragma once

#include <array>
#include <complex>
#include <span>

#include "electrons/coulomb/hartree.hpp"
#include "electrons/coulomb/isolated_coulomb.hpp"

namespace fg::electrons::reference {

double hartree(const PlaneWaves& waves, std::span<const std::complex<double>> density,
               std::span<std::complex<double>> potential) noexcept;
void add_hartree_virial(const PlaneWaves& waves, std::span<const std::complex<double>> density,
                        Virial& virial);

/// IsolatedCoulomb::write_screening by a sum over the points of the grid for each wave.
void isolated_screening(const PlaneWaves& waves, const std::array<int, 3>& grid, double splitting,
                        std::span<double> screening);
double screen_hartree(const PlaneWaves& waves, std::span<const double> screening,
                      IsolatedCoulomb::Waves density,
                      std::span<std::complex<double>> potential) noexcept;

}  // namespace fg::electrons::reference
