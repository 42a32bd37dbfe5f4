// SPDX-License-Identifier: BSD-3-Clause
//
// Ranks collapsed to their hosts (Phillips et al., SC14, 81 (2014), section III). Some systems give
// every rank coordinates of its own, or deal ranks out to hosts in turn. What counts is the host.
#pragma once

#include <span>
#include <vector>

#include "topology/coordinates.hpp"

namespace fg::topology {

struct HostRanks {
  std::vector<int> host_of;     // [ranks] hosts are numbered in the order of their first ranks
  std::vector<int> first_rank;  // [hosts]

  int hosts() const noexcept { return static_cast<int>(first_rank.size()); }
};

/// From the number by which each rank calls its host. (transport/hosts.hpp makes them of names.)
HostRanks host_ranks(std::span<const int> numbers);

/// One row for each host: the coordinates of its first rank.
Coordinates coordinates_of_hosts(const Coordinates& ranks, const HostRanks& hosts);
/// One row for each rank: the coordinates of the first rank on its host.
Coordinates collapsed_to_hosts(const Coordinates& ranks, const HostRanks& hosts);

}  // namespace fg::topology
