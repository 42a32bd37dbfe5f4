// SPDX-License-Identifier: BSD-3-Clause
//
// The cells into which a job cuts space for pairs by their midpoints: in its file, and in its
// digest. A job without them has one for each patch.
#pragma once

#include <optional>

#include "base/sha256.hpp"
#include "particles/assignment/cell_cut.hpp"
#include "records/hdf5/hdf5.hpp"

namespace fg {

std::optional<CellCut> read_cells(const h5::Reader& file);

/// Without cells nothing is added, so that such a job keeps its digest.
void add_cells(Sha256& sum, const std::optional<CellCut>& cells);

}  // namespace fg
