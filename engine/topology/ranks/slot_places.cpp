// SPDX-License-Identifier: BSD-3-Clause
#include "topology/ranks/slot_places.hpp"

#include <algorithm>

namespace fg::topology {

SlotPlaces::SlotPlaces(std::span<const int> node_of_slot)
    : nodes(node_of_slot.begin(), node_of_slot.end()) {
  std::ranges::sort(nodes);
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  place_of_slot.reserve(node_of_slot.size());
  for (const int node : node_of_slot)
    place_of_slot.push_back(
        static_cast<int>(std::ranges::lower_bound(nodes, node) - nodes.begin()));
}

}  // namespace fg::topology
