// SPDX-License-Identifier: BSD-3-Clause
//
// Networks of switches with nodes of two sockets and 128 cores.
//
// Slingshot: De Sensi et al., "An in-depth analysis of the Slingshot interconnect", SC 2020.
// Switches have 64 ports of 200 Gbit/s, and take about 350 ns each. A switch has 16 nodes. A group
// has at most 32 switches, all connected with each other. 17 ports of a switch are for other
// groups, so there are at most 545 groups. Sites buy fewer global cables than there are ports. We
// take half of them, dealt out to all pairs of groups.
//
// Fat tree: InfiniBand HDR switches with 40 ports of 200 Gbit/s (NVIDIA Quantum QM8700), about 130
// ns each. Two nodes share a port with 100 Gbit/s each. A leaf switch has 40 nodes on 20 ports, and
// 20 ports up. There are at most 40 pods of 20 leaf switches. The network does not taper. Small
// machines have fewer levels.
#include "topology/machines/known/kinds.hpp"

namespace fg::topology {

namespace {

int rounded_up(int number, int divisor) {
  return (number + divisor - 1) / divisor;
}

constexpr double gbit = 1e9 / 8;  // [byte/s]
constexpr NodeShape two_sockets{.sockets = 2, .cores = 128, .threads_per_core = 2};

}  // namespace

MachineDescription slingshot(int nodes) {
  constexpr int of_switch = 16, switches = 32, global_ports = 17;
  const int groups = rounded_up(nodes, of_switch * switches);
  DragonflyDescription dragonfly{
      .groups = groups,
      .routers_per_group = groups > 1 ? switches : rounded_up(nodes, of_switch),
      .nodes_per_router = of_switch,
      .local = {.bandwidth = 200 * gbit, .latency = 3.5e-7},
      .global = {.bandwidth = 200 * gbit, .latency = 3.5e-7}};
  if (groups > 1)
    dragonfly.links_per_pair_of_groups = std::max(1, switches * global_ports / 2 / (groups - 1));
  MachineDescription machine{.name = "Slingshot",
                             .network = dragonfly,
                             .injection = {.bandwidth = 200 * gbit, .latency = 3e-7},
                             .node = two_sockets,
                             .processor = core_with(39.2)};
  leave_out_rest(machine, nodes, groups * dragonfly.routers_per_group * of_switch);
  return machine;
}

MachineDescription fat_tree_hdr(int nodes) {
  constexpr int of_leaf = 40, uplinks = 20, leaves = 20;
  FatTreeDescription tree{.down = {of_leaf},
                          .speeds = {{.bandwidth = 200 * gbit, .latency = 1.3e-7}}};
  int complete = of_leaf;
  if (nodes > complete) {
    const int needed = rounded_up(nodes, of_leaf);
    tree.down.push_back(std::min(needed, leaves));
    tree.up.push_back(uplinks);
    complete *= tree.down.back();
  }
  if (nodes > complete) {
    tree.down.push_back(rounded_up(nodes, complete));
    tree.up.push_back(uplinks);
    complete *= tree.down.back();
  }
  MachineDescription machine{.name = "fat tree",
                             .network = tree,
                             .injection = {.bandwidth = 100 * gbit, .latency = 1e-7},
                             .node = two_sockets,
                             .processor = core_with(39.2)};
  leave_out_rest(machine, nodes, complete);
  return machine;
}

}  // namespace fg::topology
