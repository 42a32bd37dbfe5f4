// SPDX-License-Identifier: BSD-3-Clause
//
// The caller's options, checked.
#pragma once

#include "app/machinery.hpp"
#include "app/simulation.hpp"

namespace fg::app {

/// Throws InputError for invalid options. The place for checkpoints in memory is set later.
MachineOptions machine_options(const RunOptions& options);

}  // namespace fg::app
