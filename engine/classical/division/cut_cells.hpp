// SPDX-License-Identifier: BSD-3-Clause
//
// Cuts the space of a job into midpoint cells with equal work, when the job is made. It is the work
// of pairs where their midpoint is, and that of atoms and their bonded terms where the atoms are:
// the objects with these are on the same PE as the cell, or near it.
#pragma once

#include <array>
#include <span>

#include "classical/job/system.hpp"
#include "particles/assignment/cell_cut.hpp"
#include "particles/assignment/space_sums.hpp"

namespace fg::classical {

/// A pair of atoms in a list, with its part of a row [ps].
double time_of_a_pair(const Job& job);
/// Adds what is done in a step for atoms and their bonded terms, apart from pairs [ps].
void add_work_of_atoms(const System& system, std::span<const Vec3> positions, SpaceBins& work);

/// `job`: with pairs by midpoints. `shape`: cells along each axis; an InputError if that is more
/// than CellCut allows, or fewer.
CellCut cut_cells(const Job& job, const std::array<int, 3>& shape);

}  // namespace fg::classical
