// SPDX-License-Identifier: BSD-3-Clause
//
// The nodes on which there are slots, each once. A place is the index of a node among them.
#pragma once

#include <span>
#include <vector>

namespace fg::topology {

struct SlotPlaces {
  explicit SlotPlaces(std::span<const int> node_of_slot);

  std::vector<int> nodes;  // ascending
  std::vector<int> place_of_slot;
};

}  // namespace fg::topology
