// SPDX-License-Identifier: BSD-3-Clause
//
// The pair forces in the plainest form: every pair of atoms, nearest image, double precision. The
// kernels are tested against this.
// Units: Hartree atomic units.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/box.hpp"
#include "base/vec3.hpp"
#include "forces/pair/pair_settings.hpp"
#include "particles/patch_block.hpp"

namespace fg {

/// Adds to `forces`. Without a box, space is infinite. Ignores the radii of the lists.
PairEnergies pair_reference(const PairSettings& settings, const AtomParameters& atoms,
                            const ExclusionTable& exclusions, const std::optional<Box>& box,
                            std::span<const Vec3> positions, std::span<Vec3> forces);

}  // namespace fg
