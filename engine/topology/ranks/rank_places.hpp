// SPDX-License-Identifier: BSD-3-Clause
//
// Ranks on the slots of a machine, so that what they send each other goes over few links. A slot is
// room for one rank on a node; there are as many slots as ranks. A placement has the slot of each
// rank.
//
// The first placement divides ranks and slots together, again and again in two, as Phillips et al.
// (SC14, section IV) do with patches and PEs. Ranks with positions in space are divided across
// their longest side. Others are divided by their graph. Then ranks change places with each other
// as long as that takes bytes off the links (after Kernighan and Lin, Bell Syst. Tech. J. 49, 291
// (1970)): exchange_table.hpp and, for many ranks, exchange_search.hpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "topology/coordinates.hpp"
#include "topology/machines/machine.hpp"
#include "topology/ranks/rank_graph.hpp"

namespace fg::topology {

/// `positions` are of ranks, with any number of dimensions. `slots` are the coordinates of slots in
/// a mesh; a torus is opened at its largest gap first.
std::vector<int> bisected_ranks(const Coordinates& positions, const Coordinates& slots);

/// The same without positions. A part grows from a rank at the edge of the graph. The next rank is
/// always the one that has most of its bytes with the part.
std::vector<int> bisected_ranks(const RankGraph& graph, const Coordinates& slots);

/// The sum of bytes times hops.
double hop_bytes(const RankGraph& graph, const Machine& machine, std::span<const int> node_of_slot,
                 std::span<const int> slot_of_rank);

}  // namespace fg::topology
