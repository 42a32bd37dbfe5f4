// SPDX-License-Identifier: BSD-3-Clause
//
// What a caller asks for, checked.
#pragma once

#include "app/machinery.hpp"
#include "app/simulation.hpp"

namespace fg::app {

/// InputError for what makes no sense. Checkpoints in memory get their place later.
MachineOptions machine_options(const RunOptions& options);

}  // namespace fg::app
