// SPDX-License-Identifier: BSD-3-Clause
//
// Plain twins of the first orbitals of `electrons/orbitals/orbital_start.hpp`, wave by wave.
#pragma once

#include <complex>
#include <cstdint>
#include <span>

#include "electrons/orbitals/orbital_start.hpp"

namespace fg::electrons::reference {

void random_orbitals(const PlaneWaves& waves, std::uint64_t seed, OrbitalRange range,
                     std::span<std::complex<double>> block);

/// One orbital of one ion, `m` from -l to l, by a formula for each wave.
void atomic_orbital(const PlaneWaves& waves, const RadialTable& table, int m, const Vec3& position,
                    std::span<std::complex<double>> orbital);

}  // namespace fg::electrons::reference
