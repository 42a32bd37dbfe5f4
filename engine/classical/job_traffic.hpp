// SPDX-License-Identifier: BSD-3-Clause
//
// The traffic of a classical job.
#pragma once

#include <string>

#include "records/job/job_file.hpp"
#include "runs/job_traffic.hpp"
#include "topology/placement/pe_layout.hpp"

namespace fg::classical {

/// `map` as for a run. Throws an InputError for a job that the engine refuses.
JobTraffic job_traffic(const JobFile& file, const std::string& map,
                       const topology::PeLayout& layout);

}  // namespace fg::classical
