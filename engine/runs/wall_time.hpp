// SPDX-License-Identifier: BSD-3-Clause
//
// The clock on the wall: how long a run has taken, and its limit.
#pragma once

#include <chrono>

namespace fg {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

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

}  // namespace fg
