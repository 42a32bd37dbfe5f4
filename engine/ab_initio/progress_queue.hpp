// SPDX-License-Identifier: BSD-3-Clause
//
// Iterations on their way from the minimiser to the thread that writes results.
#pragma once

#include "ab_initio/ground_state.hpp"
#include "records/output_queue.hpp"

namespace fg::ab_initio {

using ProgressQueue = QueueOf<Iteration>;

}  // namespace fg::ab_initio
