// SPDX-License-Identifier: BSD-3-Clause
//
// Blocks of IBM Blue Gene. A job gets the next larger block.
//
// Blue Gene/L: Adiga et al., "An overview of the BlueGene/L supercomputer", SC 2002, and "Blue
// Gene/L torus interconnection network", IBM J. Res. Dev. 49, 265 (2005). Midplanes are 8 x 8 x 8.
// A link has 175 MB/s in each direction. The 64 hops of the full machine of 64 x 32 x 32 take 6.4
// us. A node has two cores. A block of less than a midplane is a mesh.
//
// Blue Gene/Q: Chen et al., "The IBM Blue Gene/Q interconnection network and message unit", SC
// 2011. A link has 2 GB/s in each direction, and a hop takes about 40 ns. A node has 16 cores with
// four threads. Blocks up to 1,024 nodes are those in the documentation of SciNet's machine. 4,096
// nodes are the job of Phillips et al., SC 2014, section VII-C. 49,152 nodes are all of Mira and
// 98,304 all of Sequoia. The others are our choice of whole midplanes of 4 x 4 x 4 x 4 x 2. A block
// of less than a midplane wraps in the dimensions in which it is as long as one.
//
// What processors do for a message is taken from bench/machines/README.md, which has the sources.
#include <functional>

#include "topology/machines/known/kinds.hpp"

namespace fg::topology {

namespace {

/// The smallest block with room for the nodes.
const std::vector<int>& block_for(int nodes, const std::vector<std::vector<int>>& blocks,
                                  int& size) {
  for (const std::vector<int>& block : blocks) {
    size = std::accumulate(block.begin(), block.end(), 1, std::multiplies<>());
    if (size >= nodes) return block;
  }
  return blocks.back();
}

MachineDescription block_of(int nodes, const std::vector<std::vector<int>>& blocks,
                            const std::vector<int>& midplane) {
  int size = 0;
  TorusDescription torus{.lengths = block_for(nodes, blocks, size)};
  for (std::size_t axis = 0; axis < midplane.size(); ++axis)
    torus.wraps.push_back(torus.lengths[axis] >= midplane[axis]);
  MachineDescription machine{.network = torus};
  leave_out_rest(machine, nodes, size);
  return machine;
}

}  // namespace

MachineDescription blue_gene_l(int nodes) {
  MachineDescription machine = block_of(nodes,
                                        {{4, 4, 2},
                                         {8, 4, 4},
                                         {8, 8, 8},
                                         {8, 8, 16},
                                         {8, 16, 16},
                                         {16, 16, 16},
                                         {16, 16, 32},
                                         {16, 32, 32},
                                         {16, 32, 40},
                                         {32, 32, 32},
                                         {64, 32, 32}},
                                        {8, 8, 8});
  auto& torus = std::get<TorusDescription>(machine.network);
  // All dimensions of a block of less than a midplane are a mesh.
  if (torus.lengths[2] < 8) torus.wraps.assign(3, false);
  torus.speeds = {{.bandwidth = 175e6, .latency = 1e-7}};
  torus.order = NodeOrder::first_coordinate_fastest;  // the order XYZ, the system's own
  machine.name = "Blue Gene/L";
  machine.injection = {.bandwidth = 6 * 175e6, .latency = 1.5e-7};
  machine.node = {.sockets = 1, .cores = 2};
  machine.processor = core_with(2.8);
  machine.processor.send = machine.processor.receive = 1.35e-6;
  machine.processor.byte = 1 / 700e6;
  return machine;
}

MachineDescription blue_gene_q(int nodes) {
  MachineDescription machine = block_of(nodes,
                                        {{2, 2, 2, 2, 2},
                                         {2, 2, 4, 2, 2},
                                         {2, 2, 4, 4, 2},
                                         {4, 2, 4, 4, 2},
                                         {4, 4, 4, 4, 2},
                                         {4, 4, 4, 8, 2},
                                         {4, 4, 4, 16, 2},
                                         {8, 4, 4, 16, 2},
                                         {8, 4, 8, 16, 2},
                                         {8, 12, 4, 16, 2},
                                         {8, 8, 8, 16, 2},
                                         {8, 12, 8, 16, 2},
                                         {8, 8, 16, 16, 2},
                                         {8, 12, 16, 16, 2},
                                         {16, 12, 16, 16, 2}},
                                        {4, 4, 4, 4, 2});
  auto& torus = std::get<TorusDescription>(machine.network);
  torus.speeds = {{.bandwidth = 2e9, .latency = 4e-8}};
  machine.name = "Blue Gene/Q";
  machine.injection = {.bandwidth = 10 * 2e9, .latency = 4e-8};
  machine.node = {.sockets = 1, .cores = 16, .threads_per_core = 4};
  machine.processor = core_with(12.8);
  machine.processor.send = machine.processor.receive = 1.4e-6;
  return machine;
}

}  // namespace fg::topology
