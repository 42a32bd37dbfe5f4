// SPDX-License-Identifier: BSD-3-Clause
//
// Copies of a cell in a job: how often, the cell and the box of all, and where a stage begins.
#pragma once

#include <string>
#include <vector>

#include "base/sha256.hpp"
#include "records/hdf5/hdf5.hpp"
#include "records/job/job.hpp"

namespace fg {

std::vector<Vec3> read_vectors(const h5::Reader& file, const std::string& object);

/// From the box that the file has read into `job.box`: a job of one copy stays as it is.
void read_repeat(const h5::Reader& file, Job& job);

/// A job of one copy adds nothing, so that it keeps its digest.
void add_repeat(Sha256& sum, const Job& job);

}  // namespace fg
