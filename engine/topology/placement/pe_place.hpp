// SPDX-License-Identifier: BSD-3-Clause
//
// What placement has to know of a PE. The coordinates of a host are in a separate table with one
// row for each host.
#pragma once

#include <cstdint>

namespace fg::topology {

/// A PE, or a process as a whole: then `share` is its number of PEs.
struct PePlace {
  int host = 0;              // row of the table of coordinates
  int process = 0;           // numbered over all hosts
  std::int64_t share = 1;    // of the work, in proportion to the shares of the others; at least 1
  std::int64_t already = 0;  // work that it has besides, in the unit of the loads; at least 0
};

}  // namespace fg::topology
