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
  std::string_view way;  // in which the first placement was made
};

/// The coordinates of slots in a mesh, for bisection. They are those of their nodes. Each dimension
/// that wraps is opened at its largest gap.
Coordinates mesh_of_slots(const Machine& machine, std::span<const int> node_of_slot);

/// The better of two starts, each improved: ranks in their own order; and divided by their
/// positions, or, without any, by what they send. A start that is much worse than the other is not
/// improved. A few ranks start at random places too. The placement with the least bytes times hops
/// is then relieved on its heaviest links (link_relief.hpp): bytes times hops may grow by `relief`,
/// a share of themselves. Another placement within this share is taken if it has fewer bytes on its
/// heaviest link. `traffic` is between ranks.
AdaptedPlaces adapted_places(std::span<const Traffic> traffic, const Machine& machine,
                             std::span<const int> node_of_slot, const Coordinates* positions,
                             double relief);

/// The same number from the same seed, on every machine.
std::vector<int> random_places(int ranks, std::uint64_t seed);

}  // namespace fg::topology
