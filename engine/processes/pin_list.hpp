// SPDX-License-Identifier: BSD-3-Clause
//
// The processors to which a caller binds the threads of a host.
#pragma once

#include <string_view>
#include <vector>

namespace fg {

/// The numbers in a text such as "0-3,8", in its order; none for "cores" and "none". Throws
/// InputError for another text, and for a number that comes twice.
std::vector<int> processors_of(std::string_view pin);

}  // namespace fg
