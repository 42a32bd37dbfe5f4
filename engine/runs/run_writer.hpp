// SPDX-License-Identifier: BSD-3-Clause
//
// The steps of a run on a thread of their own, and the writing of their results on this one.
#pragma once

#include <exception>

#include "runs/calculation.hpp"
#include "runs/wall_time.hpp"
#include "transport/transport.hpp"

namespace fg {

struct Written {
  double seconds = 0;          // from the first step to the last
  std::exception_ptr failure;  // of a file or of an object, the first one
};

/// Runs all steps, asks for checkpoints when they are due, and reports about five times a second.
/// The run stops at its next rebuild when `on_progress` returns false or the wall time is over.
Written run_and_write(Calculation& calculation, const Transport* transport, WallTime& limit,
                      const OnProgress& on_progress);

}  // namespace fg
