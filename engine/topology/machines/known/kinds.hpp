// SPDX-License-Identifier: BSD-3-Clause
//
// The machines of the list in known_machines.cpp.
//
// The latency of injection is that of one end. Add the other end, one hop, and what processors do
// for the message at both ends. The sum is about the shortest time of a small message in published
// measurements. Where these do not tell how it is divided, a processor has the usual time
// (topology/machines/speed.hpp).
//
// The speed of a core is its peak in double precision, divided by that of the core for which times
// of work have been fitted. That core does 32 operations a cycle at about 4 GHz. This is an
// assumption, and no measurement.
#pragma once

#include <algorithm>
#include <numeric>

#include "topology/machines/description.hpp"

namespace fg::topology {

MachineDescription blue_gene_l(int nodes);
MachineDescription blue_gene_q(int nodes);
MachineDescription titan(int nodes);
MachineDescription blue_waters(int nodes);
MachineDescription tofu_d(int nodes);
MachineDescription slingshot(int nodes);
MachineDescription fat_tree_hdr(int nodes);

/// A core with this peak in double precision [1e9/s].
inline Processor core_with(double peak) {
  constexpr double peak_of_fit = 32 * 4.0;
  return {.core_speed = peak / peak_of_fit};
}

/// The job has the first nodes only.
inline void leave_out_rest(MachineDescription& machine, int nodes, int complete) {
  machine.missing_nodes.resize(static_cast<std::size_t>(std::max(complete - nodes, 0)));
  std::iota(machine.missing_nodes.begin(), machine.missing_nodes.end(), nodes);
}

}  // namespace fg::topology
