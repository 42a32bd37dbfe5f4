// SPDX-License-Identifier: BSD-3-Clause
//
// Which processes of a run are on the same host.
#pragma once

#include <string>
#include <vector>

#include "topology/placement/pe_layout.hpp"
#include "transport/transport.hpp"

namespace fg {

/// Called by all processes together: the host of each process, by a name that no two hosts have in
/// common. In all processes. `transport` may be null.
std::vector<std::string> hosts_of_processes(Transport* transport);

/// Called by all processes together, each with `pes` PEs.
topology::PeLayout layout_of_pes(Transport* transport, int pes);

}  // namespace fg
