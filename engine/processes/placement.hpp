// SPDX-License-Identifier: BSD-3-Clause
//
// The PE of each object of a simulation: first from a map, later from a balancer with measured
// loads. It decides where an object works, never what it computes.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/runtime.hpp"

namespace fg {

/// Names of maps; array_maps.hpp says how MachineOptions::map has them.
inline constexpr const char* map_names[] = {"block", "round-robin", "hashed"};
/// Names that MachineOptions::balance accepts.
inline constexpr const char* balancer_names[] = {"none", "refine", "greedy", "bisection", "random"};

/// Throws InputError for an unknown balancer.
void check_balancer(const std::string& balancer);

template <std::size_t D>
int mapped_pe(const std::string& map, const std::array<int, D>& index,
              const std::array<int, D>& shape, int pes) {
  if (map == "round-robin") return maps::round_robin(index, shape, pes);
  if (map == "hashed") return maps::hashed(index, shape, pes, 1);
  return maps::block(index, shape, pes);
}

/// Called by all processes, between runs: new places for the elements of all `arrays`, which must
/// be movable. `round` makes each random placement different.
std::vector<Runtime::Placement> balanced(Runtime& runtime, const std::vector<ArrayCore*>& arrays,
                                         const std::string& balancer, std::int64_t round);

}  // namespace fg
