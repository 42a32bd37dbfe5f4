// SPDX-License-Identifier: BSD-3-Clause
//
// Moves fragments that are far from their constraints near to them. Bond after bond is set to its
// length along its present direction; heavy atoms move least. SETTLE and SHAKE use the old
// directions of bonds and need a start that is nearly right; this method does not. Units: Hartree
// atomic units.
#pragma once

#include <span>

#include "base/vec3.hpp"
#include "particles/fragment.hpp"

namespace fg {

/// Moves fragments with a constraint error above `tolerance` (relative) to within it. `positions`
/// are those of all atoms of the table, `masses` those of one copy. If a fragment does not
/// converge, for example because its constraints contradict each other, it is left at its last
/// positions.
void project_far_fragments(const FragmentTable& table, std::span<const double> masses,
                           double tolerance, std::span<Vec3> positions);

}  // namespace fg
