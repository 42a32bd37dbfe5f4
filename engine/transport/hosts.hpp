// SPDX-License-Identifier: BSD-3-Clause
//
// Which processes of a run are on the same host.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "transport/transport.hpp"

namespace fg {

/// Called by all processes together: the host of each process, by a name that no two hosts have in
/// common. In all processes. `transport` may be null.
std::vector<std::string> hosts_of_processes(Transport* transport);

/// The same as numbers: hosts are numbered in the order of their first processes.
std::vector<int> numbers_of_hosts(std::span<const std::string> hosts);

}  // namespace fg
