// SPDX-License-Identifier: BSD-3-Clause
//
// The limits set by the machine. One word passed from core to core and back through memory is the
// lower limit for any message between threads. It differs by a factor of four between cores that
// share a cache and cores that do not, so compare cross_thread_one_way with it. The other benchmark
// is the bare wake-up of a thread through the kernel.
#include <atomic>
#include <cstdint>
#include <thread>

#include "runtime/threads/idle.hpp"
#include "runtime/threads/pinning.hpp"
#include "stopwatch.hpp"

namespace fg::bench {
namespace {

struct alignas(64) Word {
  std::atomic<std::int64_t> value{0};
};

void floor_one_way(benchmark::State& state) {
  constexpr std::int64_t rounds = 50000;
  for (auto _ : state) {
    Word there, back;
    Stopwatch watch;
    const auto await = [](const Word& word, std::int64_t value) {
      while (word.value.load(std::memory_order_acquire) != value) pause_core();
    };
    std::jthread other([&] {
      pin_to_core(1);
      for (std::int64_t i = 1; i <= rounds; ++i) {
        await(there, i);
        back.value.store(i, std::memory_order_release);
      }
    });
    std::jthread([&] {
      pin_to_core(0);
      there.value.store(1, std::memory_order_release);
      await(back, 1);
      watch.start();
      for (std::int64_t i = 2; i <= rounds; ++i) {
        there.value.store(i, std::memory_order_release);
        await(back, i);
      }
      watch.stop();
    }).join();
    state.SetIterationTime(watch.seconds());
  }
  report_each(state, 2 * (rounds - 1));
}
BENCHMARK(floor_one_way)->Apply(repeated);

void wake_up_one_way(benchmark::State& state) {
  constexpr std::int64_t rounds = 2000;
  for (auto _ : state) {
    SleepFlag flags[2];
    Word words[2];
    Stopwatch watch;
    const auto await = [&](int side, std::int64_t value) {
      while (words[side].value.load() != value) {
        flags[side].announce();
        if (words[side].value.load() == value) {
          flags[side].withdraw();
        } else {
          flags[side].sleep();
        }
      }
    };
    const auto hand_over = [&](int side, std::int64_t value) {
      words[side].value.store(value);
      flags[side].wake();
    };
    std::jthread other([&] {
      pin_to_core(1);
      for (std::int64_t i = 1; i <= rounds; ++i) {
        await(1, i);
        hand_over(0, i);
      }
    });
    watch.start();
    for (std::int64_t i = 1; i <= rounds; ++i) {
      hand_over(1, i);
      await(0, i);
    }
    watch.stop();
    state.SetIterationTime(watch.seconds());
  }
  report_each(state, 2 * rounds);
}
BENCHMARK(wake_up_one_way)->Apply(repeated);

}  // namespace
}  // namespace fg::bench
