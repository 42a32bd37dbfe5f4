// SPDX-License-Identifier: BSD-3-Clause
//
// The names of all phases so far, by id.
#pragma once

#include <string>
#include <vector>

namespace fg {
std::vector<std::string> phase_names();
}  // namespace fg
