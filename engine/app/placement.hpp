// SPDX-License-Identifier: BSD-3-Clause
//
// Which PE each object of a simulation lives on: at first by a map, later by a balancer from what
// was measured. Decides where work happens, never what it computes.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/runtime.hpp"

namespace fg::app {

/// Names that MachineOptions::map accepts.
inline constexpr const char* map_names[] = {"block", "round-robin", "hashed"};
/// Names that MachineOptions::balance accepts.
inline constexpr const char* balancer_names[] = {"none", "refine", "greedy", "bisection", "random"};

/// Throws InputError where there is no such map or balancer.
void check_names(const std::string& map, const std::string& balancer);

template <std::size_t D>
int mapped_pe(const std::string& map, const std::array<int, D>& index,
              const std::array<int, D>& shape, int pes) {
  if (map == "round-robin") return maps::round_robin(index, shape, pes);
  if (map == "hashed") return maps::hashed(index, shape, pes, 1);
  return maps::block(index, shape, pes);
}

/// By all processes, between runs: new places for the elements of all `arrays`, which have to be
/// movable. `round` makes each random placement another one.
std::vector<Runtime::Placement> balanced(Runtime& runtime, const std::vector<ArrayCore*>& arrays,
                                         const std::string& balancer, std::int64_t round);

}  // namespace fg::app
