// SPDX-License-Identifier: BSD-3-Clause
//
// Smooth particle-mesh Ewald on the whole mesh at once, in double precision, with discrete Fourier
// transforms written as sums: the reference for the spreaders and pencils.
// Units: hartree, bohr, elementary charges.
#pragma once

#include <span>

#include "forces/mesh/influence.hpp"
#include "support/references/forces/ewald_reference.hpp"

namespace fg::reference {

/// Cost: O(points * (nx + ny + nz)).
TermResult pme(const MeshSettings& settings, std::span<const Vec3> positions,
               std::span<const double> charges);

}  // namespace fg::reference
