// SPDX-License-Identifier: BSD-3-Clause
//
// What messages put on the links of a machine.
#pragma once

#include <span>
#include <vector>

#include "topology/machines/machine.hpp"
#include "topology/machines/traffic.hpp"

namespace fg::topology {

struct LinkLoads {
  std::vector<double> bytes, messages;  // on each link
  /// Into the network and out of it, without what a node sends to itself.
  std::vector<double> bytes_from_node, bytes_to_node;
  double hop_bytes = 0;  // the sum of bytes times hops

  double most_bytes = 0, mean_bytes = 0;  // of all links
  double most_messages = 0, mean_messages = 0;
  int heaviest_link = -1;  // with most bytes; -1 without links

  /// These are of the links that leave the node or its router, as in Figure 3 of Phillips et al.,
  /// SC 2014.
  std::vector<double> most_bytes_of_node, mean_bytes_of_node;
};

/// The entries may come in any order, also several for the same pair.
LinkLoads link_loads(const Machine& machine, std::span<const Traffic> traffic);
/// The same for traffic between ranks.
LinkLoads link_loads(const Machine& machine, std::span<const Traffic> traffic,
                     std::span<const int> node_of_rank);

/// For each rank the sum over the messages that it sends or receives: their bytes times the sum of
/// a value of each link on the way.
std::vector<double> sums_over_ways(const Machine& machine, std::span<const Traffic> traffic,
                                   std::span<const int> node_of_rank,
                                   std::span<const double> value_of_link);

}  // namespace fg::topology
