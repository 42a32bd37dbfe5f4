// SPDX-License-Identifier: BSD-3-Clause
//
// What processes will send each other in a run of a job of any kind.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "runs/job_traffic.hpp"
#include "topology/placement/pe_layout.hpp"

namespace fg::app {

/// The job file is that of `check_job_file`; `map` as for a run. Throws an InputError for a job
/// that the engine refuses.
JobTraffic job_traffic(const std::string& name, std::span<const std::byte> file,
                       const std::string& map, const topology::PeLayout& layout);

}  // namespace fg::app
