// SPDX-License-Identifier: BSD-3-Clause
//
// What is wrong with descriptions of machines.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "topology/machines/description.hpp"
#include "topology/machines/machine.hpp"
#include "topology/machines/problems.hpp"

namespace fg::topology {

/// Each returns the number of nodes of the complete machine, 0 if it cannot be known.
long long check(const TorusDescription& torus, Problems& problems);
long long check(const FatTreeDescription& tree, Problems& problems);
long long check(const DragonflyDescription& dragonfly, Problems& problems);
long long check(const GraphDescription& graph, Problems& problems);

/// What all kinds have in common. `complete` is the number of nodes before any are missing.
void check_common(const MachineDescription& description, long long complete, Problems& problems);
/// A part of the network that no message from the first node reaches.
void check_connected(const Machine& machine, Problems& problems);

// The parts of which they consist.
void check_speed(const Speed& speed, const std::string& where, Problems& problems);
/// Empty, one for all, or one for each of `most`.
void check_speeds(std::span<const Speed> speeds, std::size_t most, const std::string& of,
                  Problems& problems);
/// False, and a problem, if a number is less than one.
bool check_positive(long long number, const std::string& what, Problems& problems);
/// False, and a problem, if there are too many nodes or links.
bool check_size(long long nodes, long long links, Problems& problems);
/// "(1,2,3)"
std::string shown_place(const std::vector<int>& coordinates);

}  // namespace fg::topology
