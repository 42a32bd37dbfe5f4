// SPDX-License-Identifier: BSD-3-Clause
//
// How fast a link is, and what a node consists of.
#pragma once

namespace fg::topology {

/// One direction of a link, or the way of data from a node into the network.
struct Speed {
  double bandwidth = 12.5e9;  // [byte/s]: 100 Gbit/s
  double latency = 1e-7;      // [s]

  bool operator==(const Speed&) const = default;
};

/// The parts of one node.
struct NodeShape {
  int sockets = 1;
  int cores = 1;             // in all sockets
  int threads_per_core = 1;  // hardware threads

  bool operator==(const NodeShape&) const = default;
};

}  // namespace fg::topology
