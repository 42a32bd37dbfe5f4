// SPDX-License-Identifier: BSD-3-Clause
//
// The processor's constant-rate counter, for profiles: cheaper than a call of the system's clock.
// Ticks are converted to seconds by comparison with the steady clock over the whole run. Both are
// those of the machine on which the processes run, which may be simulated; then ticks are
// nanoseconds.
#pragma once

#include <chrono>
#include <cstdint>

#if defined(FG_SIMULATED)
extern "C" double simgrid_get_clock();  // NOLINT(readability-identifier-naming): SimGrid's
#elif defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace fg {

#if defined(FG_SIMULATED)
struct RunClock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<RunClock>;
  static constexpr bool is_steady = true;
  static time_point now() noexcept {
    return time_point(duration(static_cast<rep>(1e9 * simgrid_get_clock())));
  }
};
#else
using RunClock = std::chrono::steady_clock;
#endif

inline std::uint64_t ticks_now() noexcept {
#if defined(FG_SIMULATED)
  return static_cast<std::uint64_t>(RunClock::now().time_since_epoch().count());
#elif defined(__x86_64__)
  return __rdtsc();
#elif defined(__aarch64__)
  std::uint64_t ticks;
  asm volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#else
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

}  // namespace fg
