// SPDX-License-Identifier: BSD-3-Clause
//
// The cores that this process may use, and binding a thread to one of them, through hwloc.
#pragma once

#include <vector>

namespace fg {

/// Cores that the calling thread's affinity allows; hardware threads of one core count once.
int available_cores();

/// Binds the calling thread to the core for this rank; false if the system refuses.
bool pin_to_core(int rank);

/// The same for a processor by the system's number, that is one hardware thread.
bool pin_to_processor(int processor);

/// The system's numbers of the processors that this process may use, ascending.
const std::vector<int>& usable_processors();

}  // namespace fg
