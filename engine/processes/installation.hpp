// SPDX-License-Identifier: BSD-3-Clause
//
// The components of this build and what it finds on this machine, for `finegrain doctor`.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace fg {

struct Installation {
  std::string version;
  std::string compiler;
  std::string build_type;
  std::string simd_target;                // the target that kernels use here
  std::string portable_target;            // the one in runs with portable bits
  std::vector<std::string> simd_targets;  // targets that were compiled in and run here, best first
  std::vector<std::pair<std::string, std::string>> libraries;  // name and version
  int cores = 0;
  int hardware_threads = 0;
  int numa_nodes = 0;
  std::int64_t memory_bytes = 0;
};

Installation describe_installation();

}  // namespace fg
