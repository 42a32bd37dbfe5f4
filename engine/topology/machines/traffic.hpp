// SPDX-License-Identifier: BSD-3-Clause
//
// Messages between nodes, or between ranks that are on nodes.
#pragma once

#include <cstdint>

namespace fg::topology {

/// All that one node sends to another, or one rank to another.
struct Traffic {
  int from = 0, to = 0;
  std::int64_t bytes = 0;
  std::int64_t messages = 0;
};

}  // namespace fg::topology
