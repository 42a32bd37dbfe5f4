// SPDX-License-Identifier: BSD-3-Clause
//
// Balancing in two levels: first the processes get equal work, then the PEs of each process. So an
// object leaves its process only if its process has too much to do. Pure functions; all processes
// find the same places.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "runtime/places/balance.hpp"
#include "topology/placement/pe_layout.hpp"

namespace fg {

/// A balancer by its name: "refine", "greedy" or "bisection". `refine` prefers processes of the
/// same host, then processes that are near in space. It gives them the objects nearest to theirs.
/// `bisection` gives the processes of a host a connected piece of space. With one process these are
/// the functions of runtime/places/balance.hpp. Positions are in the unit cube, which is periodic.
std::vector<int> balanced_in_two_levels(std::string_view balancer, std::span<const Burden> elements,
                                        const topology::PeLayout& layout);

}  // namespace fg
