// SPDX-License-Identifier: BSD-3-Clause
//
// The structure factor of ions of one kind, S(G) = sum exp(-i G . R).
// Units: bohr.
#pragma once

#include <complex>
#include <span>

#include "electrons/plane_waves.hpp"

namespace fg::electrons {

/// Writes S for each wave [waves]. Ions are added in their order; exp(-i G . R) is a product of the
/// factors along three axes, so that its error is a few roundings.
void structure_factor(const PlaneWaves& waves, std::span<const Vec3> positions,
                      std::span<std::complex<double>> factor);

namespace reference {

/// The same by one exponential for each wave and ion.
void structure_factor(const PlaneWaves& waves, std::span<const Vec3> positions,
                      std::span<std::complex<double>> factor);

}  // namespace reference
}  // namespace fg::electrons
