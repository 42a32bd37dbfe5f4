// SPDX-License-Identifier: BSD-3-Clause
//
// How far the results of a run that was broken off have come to disk: a state can be gone on with
// only where nothing is missing before it.
// Units: Hartree atomic units.
#pragma once

#include <cstdint>
#include <string>

#include "app/checkpoint.hpp"
#include "app/job.hpp"

namespace fg::app {

/// The first step whose row of energies or frame is not in the folder's files.
std::int64_t output_reach(const std::string& folder, const Job& job);

/// Adds the rows of energies.csv from one step up to and without another.
void add_rows(DriftSums& drift, const std::string& folder, const Job& job, std::int64_t from,
              std::int64_t to);

}  // namespace fg::app
