// SPDX-License-Identifier: BSD-3-Clause
//
// Machines with round numbers: a link passes a byte in 1000 ps and has a latency of 100 ns;
// entering the network takes 500 ps a byte, and 50 ns at each end.
#pragma once

#include <memory>

#include "topology/machines/make_machine.hpp"

namespace fg::test {

inline std::unique_ptr<const topology::Machine> ring(int nodes,
                                                     const topology::Processor& processor = {},
                                                     double bandwidth = 1e9) {
  topology::TorusDescription torus{.lengths = {nodes},
                                   .speeds = {{.bandwidth = bandwidth, .latency = 1e-7}}};
  return topology::make_machine({.name = "ring",
                                 .network = torus,
                                 .injection = {.bandwidth = 2 * bandwidth, .latency = 5e-8},
                                 .processor = processor});
}

/// Two leaf switches with two nodes each, and two ways between them.
inline std::unique_ptr<const topology::Machine> tree() {
  topology::FatTreeDescription tree{
      .down = {2, 2}, .up = {2}, .speeds = {{.bandwidth = 1e9, .latency = 1e-7}}};
  return topology::make_machine(
      {.name = "tree", .network = tree, .injection = {.bandwidth = 2e9, .latency = 5e-8}});
}

}  // namespace fg::test
