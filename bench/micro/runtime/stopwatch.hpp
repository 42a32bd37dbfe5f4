// SPDX-License-Identifier: BSD-3-Clause
//
// Timing inside a run: the clock starts and stops in entries, so starting and joining the PEs'
// threads is not measured. Every benchmark reports the median of its repetitions.
#pragma once

#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdint>

namespace fg::bench {

class Stopwatch {
 public:
  void start() { begin_ = std::chrono::steady_clock::now(); }
  void stop() {
    seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }
  double seconds() const { return seconds_; }

 private:
  std::chrono::steady_clock::time_point begin_;
  double seconds_ = 0;
};

/// Sets "each" to the time of one of `operations` per iteration, in seconds.
inline void report_each(benchmark::State& state, std::int64_t operations) {
  state.counters["each"] = benchmark::Counter(
      static_cast<double>(operations),
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
inline void report_rate(benchmark::State& state, std::int64_t operations) {
  state.counters["rate"] = benchmark::Counter(static_cast<double>(operations),
                                              benchmark::Counter::kIsIterationInvariantRate);
}

inline void repeated(benchmark::internal::Benchmark* b) {
  b->UseManualTime()->Repetitions(7)->ReportAggregatesOnly()->MinTime(0.05);
}

}  // namespace fg::bench
