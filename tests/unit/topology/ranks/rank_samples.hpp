// SPDX-License-Identifier: BSD-3-Clause
//
// Machines of each kind and random traffic, for tests of exchanges.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <random>
#include <vector>

#include "topology/machines/link_loads.hpp"
#include "topology/machines/make_machine.hpp"

namespace fg::topology {

inline std::vector<int> row(int count) {
  std::vector<int> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

inline void expect_each_slot_once(std::vector<int> slots) {
  std::ranges::sort(slots);
  EXPECT_EQ(slots, row(static_cast<int>(slots.size())));
}

/// Each entry between two ranks at random.
inline std::vector<Traffic> random_traffic(int ranks, int entries, unsigned seed) {
  std::mt19937 random(seed);
  const auto rank = [&] { return static_cast<int>(random() % static_cast<unsigned>(ranks)); };
  std::vector<Traffic> traffic;
  traffic.reserve(static_cast<std::size_t>(entries));
  for (int i = 0; i < entries; ++i) {
    const int from = rank(), to = rank();
    traffic.push_back({from, to, static_cast<std::int64_t>(1 + random() % 1000), 1});
  }
  return traffic;
}

/// Machines of 24 nodes on which hops are the sum over axes.
inline std::vector<MachineDescription> machines_with_axes() {
  return {{.network = TorusDescription{.lengths = {4, 3, 2}, .wraps = {true, true, true}}},
          {.network = TorusDescription{.lengths = {3, 8}, .wraps = {false, true}}},
          {.network = FatTreeDescription{.down = {4, 6}, .up = {3}}},
          {.network = FatTreeDescription{.down = {3, 2, 4}, .up = {2, 2}}}};
}

/// Others: no axes, or axes that are near the hops only.
inline std::vector<MachineDescription> other_machines() {
  GraphDescription ring{.switches = 12};
  for (int at = 0; at < 12; ++at) ring.cables.push_back({.a = at, .b = (at + 1) % 12});
  ring.switch_of_node.resize(24);
  for (int node = 0; node < 24; ++node)
    ring.switch_of_node[static_cast<std::size_t>(node)] = node / 2;
  return {
      {.network = ring},
      {.network = DragonflyDescription{.groups = 4, .routers_per_group = 3, .nodes_per_router = 2}},
      {.network = TorusDescription{.lengths = {5, 5},
                                   .wraps = {true, true},
                                   .holes = {{.coordinates = {2, 2}, .router_gone = true}}}}};
}

}  // namespace fg::topology
