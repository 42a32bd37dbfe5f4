// SPDX-License-Identifier: BSD-3-Clause
//
// The steps of a run on a thread of their own, and the writing of their results on this one.
#pragma once

#include <chrono>
#include <exception>

#include "runs/calculation.hpp"
#include "transport/transport.hpp"

namespace fg {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// The clock on the wall: how long a run has taken, and its limit.
class WallTime {
 public:
  /// 0: no limit. The time counts from here.
  explicit WallTime(double hours) noexcept : hours_(hours) {}

  bool over() noexcept {
    if (hours_ > 0 && seconds_since(begun_) >= 3600 * hours_) was_over_ = true;
    return was_over_;
  }
  /// For RunResult::stopped_by: the limit that ended the run; empty if it was another reason.
  const char* ended_by() const noexcept { return was_over_ ? "hours" : ""; }

 private:
  double hours_;
  Clock::time_point begun_ = Clock::now();
  bool was_over_ = false;
};

struct Written {
  double seconds = 0;          // from the first step to the last
  std::exception_ptr failure;  // of a file or of an object, the first one
};

/// Runs all steps, asks for checkpoints when they are due, and reports about five times a second.
/// The run stops at its next rebuild when `on_progress` returns false or the wall time is over.
Written run_and_write(Calculation& calculation, const Transport* transport, WallTime& limit,
                      const OnProgress& on_progress);

}  // namespace fg
