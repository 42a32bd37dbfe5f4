// SPDX-License-Identifier: BSD-3-Clause
//
// How a step of a dynamics that is found in memory (memory_record.hpp) becomes checkpoint.h5.
#pragma once

#include <memory>

#include "ab_initio/job/job.hpp"
#include "processes/memory_rescue.hpp"
#include "records/options/run_options.hpp"

namespace fg::ab_initio {

/// Both have to outlive it.
std::unique_ptr<MemoryRescue> make_memory_rescue(const RunOptions& options, const Job& job);

}  // namespace fg::ab_initio
