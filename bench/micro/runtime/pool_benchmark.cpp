// SPDX-License-Identifier: BSD-3-Clause
//
// A buffer allocated and freed, on one thread and with the free on another, compared with the C
// library. "each" is the time per pair.
#include <atomic>
#include <cstdlib>
#include <thread>
#include <vector>

#include "runtime/threads/idle.hpp"
#include "runtime/threads/pinning.hpp"
#include "stopwatch.hpp"
#include "transport/pool.hpp"

namespace fg::bench {
namespace {

constexpr int blocks = 256;
constexpr int batches = 400;

struct Pooled {
  using Handle = Block;
  static Handle take(std::size_t bytes) { return Pool::allocate(bytes); }
  static void give(const Handle& block) { Pool::release(block); }
};
struct Library {
  using Handle = void*;
  static Handle take(std::size_t bytes) { return std::aligned_alloc(64, bytes); }
  static void give(Handle block) { std::free(block); }
};

template <class Memory>
void local_pair(benchmark::State& state) {
  Pool::attach();
  const auto bytes = static_cast<std::size_t>(state.range(0));
  std::vector<typename Memory::Handle> held(blocks);
  Stopwatch watch;
  for (auto _ : state) {
    watch.start();
    for (int batch = 0; batch < batches; ++batch) {
      for (auto& block : held) block = Memory::take(bytes);
      for (auto& block : held) Memory::give(block);
    }
    watch.stop();
    state.SetIterationTime(watch.seconds());
  }
  report_each(state, std::int64_t{blocks} * batches);
  Pool::detach();
}
BENCHMARK(local_pair<Pooled>)->Arg(128)->Arg(4096)->Apply(repeated);
BENCHMARK(local_pair<Library>)->Arg(128)->Arg(4096)->Apply(repeated);

/// One thread takes a batch, another gives it back, with two batches in flight.
template <class Memory>
void remote_pair(benchmark::State& state) {
  const auto bytes = static_cast<std::size_t>(state.range(0));
  for (auto _ : state) {
    std::vector<typename Memory::Handle> held[2];
    held[0].resize(blocks), held[1].resize(blocks);
    alignas(64) std::atomic<int> full{0};
    alignas(64) std::atomic<int> emptied{0};
    Stopwatch watch;
    std::jthread taker([&] {
      pin_to_core(0);
      Pool::attach();
      watch.start();
      for (int batch = 0; batch < batches; ++batch) {
        while (batch - emptied.load(std::memory_order_acquire) >= 2) pause_core();
        for (auto& block : held[batch % 2]) block = Memory::take(bytes);
        full.store(batch + 1, std::memory_order_release);
      }
      while (emptied.load(std::memory_order_acquire) != batches) pause_core();
      watch.stop();
      Pool::detach();
    });
    std::jthread giver([&] {
      pin_to_core(1);
      Pool::attach();
      for (int batch = 0; batch < batches; ++batch) {
        while (full.load(std::memory_order_acquire) <= batch) pause_core();
        for (auto& block : held[batch % 2]) Memory::give(block);
        emptied.store(batch + 1, std::memory_order_release);
      }
      Pool::detach();
    });
    taker.join();
    giver.join();
    state.SetIterationTime(watch.seconds());
  }
  report_each(state, std::int64_t{blocks} * batches);
}
BENCHMARK(remote_pair<Pooled>)->Arg(128)->Arg(4096)->Apply(repeated);
BENCHMARK(remote_pair<Library>)->Arg(128)->Arg(4096)->Apply(repeated);

}  // namespace
}  // namespace fg::bench
