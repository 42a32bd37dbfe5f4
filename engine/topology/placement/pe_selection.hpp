// SPDX-License-Identifier: BSD-3-Clause
//
// Some of the PEs, spread evenly: where there are more PEs than patches or pencils (Phillips et
// al., SC14, 81 (2014), sections IV and V).
#pragma once

#include <span>
#include <vector>

#include "topology/placement/pe_place.hpp"

namespace fg::topology {

/// The numbers 0 to `count` - 1 in the order of their bits read backwards. The first ones of this
/// order are spread evenly over all.
std::vector<int> bit_reversed(int count);

/// All PEs in the order in which they are chosen. Hosts give one PE each in turn, those of a host
/// its processes in turn. Each turn is in bit-reversed order. Hosts and processes count in the
/// order of their first PEs, so that their numbers do not matter. `last` marks PEs that are chosen
/// last. In a process the others come first. In a turn what gives one of the others comes first.
/// Its size is that of `pes`, or 0.
std::vector<int> order_of_choice(std::span<const PePlace> pes, const std::vector<bool>& last = {});

/// The first `count` of this order, in ascending order; all PEs if there are no more.
std::vector<int> chosen_pes(std::span<const PePlace> pes, int count,
                            const std::vector<bool>& last = {});

}  // namespace fg::topology
