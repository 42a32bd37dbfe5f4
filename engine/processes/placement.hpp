// SPDX-License-Identifier: BSD-3-Clause
//
// The PE of each object of a simulation: first from a map, later from a balancer with measured
// loads. It decides where an object works, never what it computes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/runtime.hpp"
#include "topology/placement/pe_layout.hpp"
#include "topology/torus_prisms.hpp"

namespace fg {

/// The map of ranges of equal work. It is for kinds of run that can estimate the work of their
/// objects. Where all objects of an array have the same work, it is "block".
inline constexpr const char* cost_map = "cost";
/// Names of maps; array_maps.hpp says how MachineOptions::map has them. Another one is
/// "torus-4x4x8-16": as "plane", but on a torus of these sides, in 16 prisms. mesh_map.hpp has
/// those of a classical run that give the mesh PEs of its own.
inline constexpr const char* map_names[] = {cost_map, "block",       "plane",
                                            "hybrid", "round-robin", "hashed"};
/// Names that MachineOptions::balance accepts.
inline constexpr const char* balancer_names[] = {"none", "refine", "greedy", "bisection", "random"};

/// Throws InputError for an unknown balancer.
void check_balancer(const std::string& balancer);

/// Throws InputError unless the torus has as many nodes as there are PEs.
void require_nodes(const TorusPrisms& torus, const std::string& map, int pes);
/// The torus of such a name; none if it is another one. Throws InputError if it is no torus, or
/// cannot be cut so.
std::optional<TorusPrisms> torus_of(const std::string& map);

/// Throws InputError if the map is of a torus with another number of nodes than PEs.
template <std::size_t D>
int mapped_pe(const std::string& map, const std::array<int, D>& index,
              const std::array<int, D>& shape, int pes) {
  if (map == "plane") return maps::plane(index, shape, pes);
  if (map == "hybrid") return maps::hybrid(index, shape, pes);
  if (const auto torus = torus_of(map)) {
    require_nodes(*torus, map, pes);
    return torus->node(maps::plane(index, shape, pes));
  }
  if (map == "round-robin") return maps::round_robin(index, shape, pes);
  if (map == "hashed") return maps::hashed(index, shape, pes, 1);
  return maps::block(index, shape, pes);
}

topology::PeLayout layout_of_pes(const Runtime& runtime);

/// Called by all processes, between runs: new places for the elements of all `arrays`, which must
/// be movable. `round` makes each random placement different.
std::vector<Runtime::Placement> balanced(Runtime& runtime, const std::vector<ArrayCore*>& arrays,
                                         const std::string& balancer, std::int64_t round);

}  // namespace fg
