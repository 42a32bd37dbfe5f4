// SPDX-License-Identifier: BSD-3-Clause
//
// Ranks divided into compact partitions, such as one for each copy of a simulation, by recursive
// bisection (Phillips et al., SC14, 81 (2014), section III). Holes and any number of dimensions
// need no special care.
#pragma once

#include <span>
#include <vector>

#include "topology/coordinates.hpp"

namespace fg::topology {

/// The partition of each rank. `mesh` has a row for each rank. The numbers of ranks differ by at
/// most one. Ranks with one coordinate are divided as their order is: the naive partitions. Throws
/// InputError if there are fewer ranks than partitions.
std::vector<int> compact_partitions(const Coordinates& mesh, int partitions);

/// The ranks of each partition along a Hilbert curve. So ranks near each other in number are near
/// each other in the network.
std::vector<std::vector<int>> ranks_of_partitions(const Coordinates& mesh,
                                                  std::span<const int> partition_of,
                                                  int partitions);

}  // namespace fg::topology
