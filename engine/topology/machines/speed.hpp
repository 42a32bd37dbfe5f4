// SPDX-License-Identifier: BSD-3-Clause
//
// How fast a link is, what a node consists of, and how fast its processors are.
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

/// A core with the program's work, and with its messages to other processes.
struct Processor {
  /// Relative to the core for which times of work have been fitted
  /// (forces/costs/work_times.hpp).
  double core_speed = 1;
  double send = 4e-7, receive = 4e-7;  // for a message [s]
  double byte = 0;                     // for each byte, at either end [s]

  bool operator==(const Processor&) const = default;
};

}  // namespace fg::topology
