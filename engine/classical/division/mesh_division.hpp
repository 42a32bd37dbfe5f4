// SPDX-License-Identifier: BSD-3-Clause
//
// The division of a job's mesh into spreaders and pencils.
#pragma once

#include "classical/job/system.hpp"
#include "forces/mesh/mesh_frame.hpp"

namespace fg::classical {

/// Throws InputError if there are more pencils than lines.
MeshDivision mesh_division(const System& system, const PatchGrid& grid);

}  // namespace fg::classical
