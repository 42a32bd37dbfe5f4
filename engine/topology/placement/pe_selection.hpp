// SPDX-License-Identifier: BSD-3-Clause
//
// Some of the PEs, spread evenly: where there are more PEs than patches (Phillips et al., SC14, 81
// (2014), section IV).
#pragma once

#include <span>
#include <vector>

#include "topology/placement/pe_place.hpp"

namespace fg::topology {

/// The numbers 0 to `count` - 1 in the order of their bits read backwards. The first ones of this
/// order are spread evenly over all.
std::vector<int> bit_reversed(int count);

/// All PEs in the order in which they are chosen: a PE of each host, then of each other process of
/// each host, then the other PEs of each process. Each level is in bit-reversed order. Hosts and
/// processes count in the order of their first PEs, so that their numbers do not matter.
std::vector<int> order_of_choice(std::span<const PePlace> pes);

/// The first `count` of this order, in ascending order; all PEs if there are no more.
std::vector<int> chosen_pes(std::span<const PePlace> pes, int count);

}  // namespace fg::topology
