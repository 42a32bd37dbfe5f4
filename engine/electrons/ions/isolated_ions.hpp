// SPDX-License-Identifier: BSD-3-Clause
//
// The energy of the ions of a molecule without its periodic images: the sum of Z_i Z_j / r over all
// pairs. Here r is the distance to the nearest image, so a molecule may lie across a face of the
// cell. Units: hartree, bohr, elementary charges.
#pragma once

#include <span>
#include <vector>

#include "electrons/ions/ewald_ions.hpp"
#include "electrons/waves/lattice.hpp"

namespace fg::electrons {

/// The virial is not computed and stays 0. Throws InternalError if there are not as many positions
/// as charges. Throws NumericsError if a position is not finite, and InputError if two ions are
/// closer than 1e-6 bohr.
IonEnergy isolated_ions(const Lattice& lattice, std::span<const double> charges,
                        std::span<const Vec3> positions);

}  // namespace fg::electrons
