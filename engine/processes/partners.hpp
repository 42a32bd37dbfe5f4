// SPDX-License-Identifier: BSD-3-Clause
//
// For each process the partner that keeps a second copy of its state. It is on another host if
// possible, so that the loss of one host loses nothing.
#pragma once

#include <string>
#include <vector>

namespace fg {

/// Partners by process. A single process is its own partner; otherwise each process is the partner
/// of exactly one other. `hosts` names the host of each process.
std::vector<int> partners(const std::vector<std::string>& hosts);

}  // namespace fg
