// SPDX-License-Identifier: BSD-3-Clause
//
// From a description to a machine.
#pragma once

#include <memory>

#include "topology/machines/description.hpp"
#include "topology/machines/machine.hpp"

namespace fg::topology {

/// The largest complete machine, with nodes that are missing.
constexpr int most_nodes = 1 << 22;
constexpr int most_links = 1 << 24;

/// Throws InputError with all problems of the description.
std::unique_ptr<const Machine> make_machine(const MachineDescription& description);

}  // namespace fg::topology
