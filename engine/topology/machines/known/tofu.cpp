// SPDX-License-Identifier: BSD-3-Clause
//
// Fujitsu Tofu D: Ajima et al., "The Tofu interconnect D", IEEE CLUSTER 2018. Units of 2 x 3 x 2
// nodes (A, B, C; only B wraps) are on a torus X x Y x Z. On Fugaku it is at most 24 x 23 x 24. A
// link carries 6.8 GB/s in each direction. A node injected 38.1 GB/s. A Put of 8 bytes took 0.49
// us. A node computes with 48 cores. We take 0.1 us a hop.
//
// A job gets a box of units that is at most twice as long as wide.
#include <array>

#include "topology/machines/known/kinds.hpp"

namespace fg::topology {

namespace {

/// The box of the least surface with this number of units, longest side first; zero without any.
std::array<int, 3> box_of(int units) {
  std::array<int, 3> best{};
  const auto surface = [](const std::array<int, 3>& box) {
    return box[0] * box[1] + box[1] * box[2] + box[2] * box[0];
  };
  for (int c = 1; c <= 23; ++c)
    for (int b = c; b <= 24; ++b) {
      const int a = units / (b * c);
      if (a * b * c != units || a < b || a > 24 || a > 2 * c) continue;
      const std::array<int, 3> box{a, b, c};
      if (best[0] == 0 || surface(box) < surface(best)) best = box;
    }
  return best;
}

}  // namespace

MachineDescription tofu_d(int nodes) {
  constexpr int nodes_of_unit = 2 * 3 * 2;
  int units = (nodes + nodes_of_unit - 1) / nodes_of_unit;
  std::array<int, 3> box = box_of(units);
  while (box[0] == 0) box = box_of(++units);
  TorusDescription torus{.lengths = {box[0], box[2], box[1], 2, 3, 2},
                         .wraps = {true, true, true, false, true, false},
                         .speeds = {{.bandwidth = 6.8e9, .latency = 1e-7}},
                         .axes = "XYZABC"};
  MachineDescription machine{.name = "Tofu D",
                             .network = torus,
                             .injection = {.bandwidth = 38.1e9, .latency = 2e-7},
                             .node = {.sockets = 1, .cores = 48},
                             .processor = core_with(70.4)};
  leave_out_rest(machine, nodes, units * nodes_of_unit);
  return machine;
}

}  // namespace fg::topology
