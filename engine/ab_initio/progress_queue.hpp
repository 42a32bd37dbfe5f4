// SPDX-License-Identifier: BSD-3-Clause
//
// Iterations and steps on their way to the thread that writes results.
#pragma once

#include <variant>

#include "ab_initio/dynamics_step.hpp"
#include "ab_initio/ground_state.hpp"
#include "records/output_queue.hpp"

namespace fg::ab_initio {

using ProgressReport = std::variant<Iteration, DynamicsStep>;
using ProgressQueue = QueueOf<ProgressReport>;

}  // namespace fg::ab_initio
