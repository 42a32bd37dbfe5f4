// SPDX-License-Identifier: BSD-3-Clause
//
// Which process keeps a second copy of the state of each: one of another host wherever that can be,
// so that the loss of one host loses nothing.
#pragma once

#include <string>
#include <vector>

namespace fg::app {

/// By process. A process alone is its own partner; otherwise each is the partner of exactly one
/// other. `hosts` names the host of each process.
std::vector<int> partners(const std::vector<std::string>& hosts);

}  // namespace fg::app
