// SPDX-License-Identifier: BSD-3-Clause
//
// Machines that are known by name. The number of nodes picks the shape. A job that does not fill it
// has the first nodes of the next larger shape. Messages still pass the routers of the others.
#pragma once

#include <string>
#include <vector>

#include "topology/machines/description.hpp"

namespace fg::topology {

struct KnownMachine {
  std::string name, about;
  int most_nodes;
  MachineDescription (*of)(int nodes);  // a number from 1 to most_nodes
};

const std::vector<KnownMachine>& known_machines();

/// Throws InputError for a name that is not known, or a number of nodes that the machine has not.
MachineDescription known_machine(const std::string& name, int nodes);

}  // namespace fg::topology
