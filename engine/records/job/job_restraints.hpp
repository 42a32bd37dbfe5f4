// SPDX-License-Identifier: BSD-3-Clause
//
// The position restraints of a job: in its file, and in its digest.
// Units: Hartree atomic units.
#pragma once

#include <vector>

#include "base/sha256.hpp"
#include "forces/restraints/position_restraint.hpp"
#include "records/hdf5/hdf5.hpp"

namespace fg {

/// A job without restraints has no table of them.
std::vector<PositionRestraint> read_restraints(const h5::Reader& file);

/// Without restraints nothing is added, so that such a job keeps its digest.
void add_restraints(Sha256& sum, const std::vector<PositionRestraint>& restraints);

}  // namespace fg
