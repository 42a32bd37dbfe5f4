// SPDX-License-Identifier: BSD-3-Clause
//
// The traffic of an ab initio job: of a Car-Parrinello step, or of an iteration of the search.
#pragma once

#include <string>

#include "records/job/job_file.hpp"
#include "runs/job_traffic.hpp"
#include "topology/placement/pe_layout.hpp"

namespace fg::ab_initio {

/// `map` as for a run. Throws an InputError for a job that the engine refuses.
JobTraffic job_traffic(const JobFile& file, const std::string& map,
                       const topology::PeLayout& layout);

}  // namespace fg::ab_initio
