// SPDX-License-Identifier: BSD-3-Clause
//
// What becomes of checkpoints in memory when a run begins: those of the run before become the
// checkpoint on disk where they are newer and whole, and are removed; new ones get their place.
// The folder of results names that place, so that the memory of another run is never looked at.
#pragma once

#include <string>
#include <vector>

#include "app/job.hpp"
#include "app/keeper.hpp"
#include "app/simulation.hpp"

namespace fg::app {

struct MemoryStart {
  MemoryPlan plan;
  std::string found;  // that the run goes on from memory, in words; empty: it does not
  std::vector<std::string> warnings;
};

/// By all processes of a run, before they make their machinery.
MemoryStart begin_memory(const RunOptions& options, const Job& job);

/// In process 0, once all processes have removed what they kept.
void forget_memory_marker(const RunOptions& options) noexcept;

}  // namespace fg::app
