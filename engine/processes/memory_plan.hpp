// SPDX-License-Identifier: BSD-3-Clause
//
// Where and how often the processes of a run keep checkpoints in memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fg {

/// Place and interval; the same in all processes.
struct MemoryPlan {
  std::string folder;         // on the memory file system of every host; empty: nothing is kept
  std::int64_t every = 0;     // steps
  std::vector<int> partners;  // by process
  std::string job_digest;

  bool on() const noexcept { return !folder.empty() && every > 0; }
  /// The number of processes that keep the same patch.
  int copies() const noexcept { return partners.size() > 1 ? 2 : 1; }
};

}  // namespace fg
