// SPDX-License-Identifier: BSD-3-Clause
//
// Handling of checkpoints in memory when a run begins. If the checkpoints of the previous run are
// newer than the one on disk and complete, they become the checkpoint on disk. They are removed,
// and a folder for new ones is chosen. The folder of results names that folder, so that the memory
// of another run is never used.
#pragma once

#include <string>
#include <vector>

#include "processes/memory_plan.hpp"
#include "processes/memory_rescue.hpp"
#include "records/options/run_options.hpp"

namespace fg {

struct MemoryStart {
  MemoryPlan plan;
  std::string found;  // text that says that the run continues from memory; empty: it does not
  std::vector<std::string> warnings;
};

/// Called by all processes of a run, before they make their machinery.
MemoryStart begin_memory(const RunOptions& options, MemoryRescue& rescue);

/// Called in process 0, after all processes have removed what they kept.
void forget_memory_marker(const RunOptions& options) noexcept;

}  // namespace fg
