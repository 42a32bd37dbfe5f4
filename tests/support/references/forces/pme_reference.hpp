// SPDX-License-Identifier: BSD-3-Clause
//
// Particle-mesh Ewald on the whole mesh at once, in double precision, with discrete Fourier
// transforms written as sums: the reference for the spreaders and pencils.
// Units: hartree, bohr, elementary charges.
#pragma once

#include <array>
#include <functional>
#include <span>

#include "forces/mesh/influence.hpp"
#include "support/references/forces/ewald_reference.hpp"

namespace fg::reference {

/// Multiplies the influence function at a wave number of the mesh.
using WaveFactor = std::function<double(const std::array<int, 3>&)>;

/// Cost: O(points * (nx + ny + nz)).
TermResult pme(const MeshSettings& settings, std::span<const Vec3> positions,
               std::span<const double> charges, const WaveFactor& factor = {});

}  // namespace fg::reference
