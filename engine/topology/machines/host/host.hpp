// SPDX-License-Identifier: BSD-3-Clause
//
// One node as a machine whose nodes are hardware threads. So a map inside a node can be studied as
// one between nodes. Threads of a core are two hops apart, threads of cores that share a cache
// four, and so on. A part that has only one part inside counts for nothing.
#pragma once

#include <string>
#include <vector>

#include "topology/machines/description.hpp"

namespace fg::topology {

enum class HostKind { thread, core, cache, memory, socket, host };

struct HostPart {
  HostKind kind = HostKind::thread;
  std::vector<HostPart> parts{};
};

/// A host with the same number of parts everywhere.
struct HostShape {
  int sockets = 1;
  int memories = 1;  // NUMA nodes of a socket
  int caches = 1;    // caches of a NUMA node that several cores share
  int cores = 1;     // of a cache
  int threads = 1;   // of a core
};

/// The way from a part to the one around it. The numbers are those of a present-day server, to an
/// order of magnitude.
struct HostSpeeds {
  Speed thread{.bandwidth = 100e9, .latency = 2e-9};
  Speed core{.bandwidth = 50e9, .latency = 1e-8};
  Speed cache{.bandwidth = 50e9, .latency = 3e-8};
  Speed memory{.bandwidth = 50e9, .latency = 3e-8};
  Speed socket{.bandwidth = 30e9, .latency = 6e-8};
};

HostPart regular_host(const HostShape& shape);

/// The hardware threads on which the calling thread may run, as hwloc sees them.
HostPart this_host();

/// make_machine checks the result.
MachineDescription host_machine(const std::string& name, const HostPart& host,
                                const HostSpeeds& speeds = {});

}  // namespace fg::topology
