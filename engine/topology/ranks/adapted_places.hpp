// SPDX-License-Identifier: BSD-3-Clause
//
// The best placement of ranks that we find for a machine.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "topology/ranks/rank_places.hpp"

namespace fg::topology {

struct AdaptedPlaces {
  std::vector<int> slot_of_rank;
  double hop_bytes = 0;
  double most_bytes = 0;  // on the heaviest link
  std::string_view way;   // in which the first placement was made
};

/// The coordinates of slots in a mesh, for bisection: those of their nodes, where each dimension
/// that wraps is opened at its largest gap.
Coordinates mesh_of_slots(const Machine& machine, std::span<const int> node_of_slot);

/// The best of several: ranks in their own order, divided by their positions if there are any, and
/// by what they send, and at random if they are few; each improved. The best one has the fewest
/// bytes on the heaviest link among those with at most one part in twenty more bytes times hops
/// than the least. `traffic` is between ranks.
AdaptedPlaces adapted_places(std::span<const Traffic> traffic, const Machine& machine,
                             std::span<const int> node_of_slot, const Coordinates* positions);

/// The same number from the same seed, on every machine.
std::vector<int> random_places(int ranks, std::uint64_t seed);

}  // namespace fg::topology
