// SPDX-License-Identifier: BSD-3-Clause
//
// The machines of the list in known_machines.cpp.
//
// The latency of injection is that of one end. Together with the other end and one hop it is about
// the shortest time of a small message in the published measurements.
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

/// The job has the first nodes only.
inline void leave_out_rest(MachineDescription& machine, int nodes, int complete) {
  machine.missing_nodes.resize(static_cast<std::size_t>(std::max(complete - nodes, 0)));
  std::iota(machine.missing_nodes.begin(), machine.missing_nodes.end(), nodes);
}

}  // namespace fg::topology
