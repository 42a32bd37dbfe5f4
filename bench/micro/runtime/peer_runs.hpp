// SPDX-License-Identifier: BSD-3-Clause
//
// Shared by the comparisons with other programs: clocks, the median and range of repeats that were
// measured in turns, and their JSON. Times are in nanoseconds.
#pragma once

#include <gnu/libc-version.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <thread>
#include <vector>

#include "runtime/threads/idle.hpp"
#include "runtime/threads/pinning.hpp"

namespace fg::bench {

/// Number of rounds. A round runs every case once, so that a busy machine slows all of them.
inline constexpr int repeats = 5;

inline double wall_ns() {
  return std::chrono::duration<double, std::nano>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// Core time of the calling thread. Unlike the wall clock it is meaningful with more threads than
/// cores.
inline double thread_cpu_ns() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return 1e9 * static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec);
}

/// One unsuccessful poll. With more threads than cores the awaited thread may need this core.
inline void wait_a_little(int threads) {
  if (threads > available_cores()) {
    sched_yield();
  } else {
    pause_core();
  }
}

/// Time to pass one word from core to core, one way. Two virtual cores share a cache at some times
/// and not at others, which affects everything that crosses between them. So it is measured before
/// every run.
inline double hand_over_ns() {
  constexpr int rounds = 20000;
  struct alignas(64) Word {
    std::atomic<int> value{0};
  } there, back;
  const auto await = [](const Word& word, int value) {
    while (word.value.load(std::memory_order_acquire) != value) wait_a_little(2);
  };
  std::jthread other([&] {
    pin_to_core(1);
    for (int i = 1; i <= rounds; ++i) {
      await(there, i);
      back.value.store(i, std::memory_order_release);
    }
  });
  double each = 0;
  std::jthread([&] {
    pin_to_core(0);
    const double start = wall_ns();
    for (int i = 1; i <= rounds; ++i) {
      there.value.store(i, std::memory_order_release);
      await(back, i);
    }
    each = (wall_ns() - start) / (2.0 * rounds);
  }).join();
  return each;
}

/// Prints `"name": {"median": ..., "range": [least, most], "runs": [...]}`, without a separator.
inline void print_figure(const char* name, const std::vector<double>& runs) {
  std::vector<double> sorted = runs;
  std::sort(sorted.begin(), sorted.end());
  std::printf("\"%s\": {\"median\": %.2f, \"range\": [%.2f, %.2f], \"runs\": [", name,
              sorted[sorted.size() / 2], sorted.front(), sorted.back());
  for (const double& run : runs) std::printf("%s%.2f", &run == runs.data() ? "" : ", ", run);
  std::printf("]}");
}

/// Describes the build of the program in the result.
inline void print_build() {
  std::printf("  \"compiler\": \"GCC %s\",\n  \"flags\": \"%s\",\n  \"libc\": \"glibc %s\",\n",
              __VERSION__, FG_BENCH_FLAGS, gnu_get_libc_version());
  std::printf("  \"cores\": %d,\n  \"repeats\": %d,\n", available_cores(), repeats);
}

}  // namespace fg::bench
