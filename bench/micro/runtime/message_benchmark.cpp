// SPDX-License-Identifier: BSD-3-Clause
//
// One message at a time: what an entry costs through the queue of its own PE and from another PE,
// and what awaiting it in a coroutine adds. "each" is the time per entry.
#include <cstdint>

#include "runtime/runtime.hpp"
#include "stopwatch.hpp"

namespace fg::bench {
namespace {

constexpr std::int64_t hops = 100000;

struct Payload : Message {
  std::int64_t left;
};

class Cell : public Chare<Cell, 3> {
 public:
  void hop(std::int64_t left) {
    if (ordinal() == 0 && left == hops) watch.start();
    if (left == 0) {
      array().object_at(0).watch.stop();
      return runtime().stop();
    }
    array()[next].send<&Cell::hop>(left - 1);
  }
  void hop_message(Ref<const Payload> m) {
    if (m->left == hops) array().object_at(0).watch.start();
    if (m->left == 0) {
      array().object_at(0).watch.stop();
      return runtime().stop();
    }
    const Ref<Payload> reply = make_message<Payload>(64);
    reply->left = m->left - 1;
    array()[next].send<&Cell::hop_message>(reply);
  }
  void tick(std::int64_t value) { sum += value; }
  /// Each element awaits the message of its predecessor and sends to its successor.
  Task awaiting(std::int64_t count) {
    if (ordinal() == 0) watch.start();
    for (std::int64_t step = 0; step < count; ++step) {
      if (ordinal() == 0) array()[next].send_at<&Cell::tick>(step, step);
      co_await when<&Cell::tick>(step);
      if (ordinal() != 0) array()[next].send_at<&Cell::tick>(step, step);
    }
    if (ordinal() == 0) {
      watch.stop();
      runtime().stop();
    }
  }

  Index next{};
  std::int64_t sum = 0;
  Stopwatch watch;
};

/// A ring through all elements, in an order different from that in memory.
Array<Cell> ring(Runtime& rt, const std::array<int, 3>& shape) {
  const Array<Cell> cells = rt.create_array<Cell>(shape, round_robin_map<3>(shape, rt.pes()));
  for (int i = 0; i < cells.size(); ++i)
    cells.object_at(i).next = cells.index((i + cells.size() / 2 + 1) % cells.size());
  return cells;
}

void same_pe_entry(benchmark::State& state) {
  Runtime rt({.pes = 1});
  const Array<Cell> cells = ring(rt, {5, 5, 5});
  for (auto _ : state) {
    cells[{0, 0, 0}].send<&Cell::hop>(hops);
    rt.run();
    state.SetIterationTime(cells.object_at(0).watch.seconds());
  }
  report_each(state, hops);
}
BENCHMARK(same_pe_entry)->Apply(repeated);

void same_pe_entry_profiled(benchmark::State& state) {
  Runtime rt({.pes = 1, .profiling = static_cast<Profiling>(state.range(0))});
  const Array<Cell> cells = ring(rt, {5, 5, 5});
  for (auto _ : state) {
    cells[{0, 0, 0}].send<&Cell::hop>(hops);
    rt.run();
    state.SetIterationTime(cells.object_at(0).watch.seconds());
  }
  report_each(state, hops);
}
BENCHMARK(same_pe_entry_profiled)->Arg(1)->Arg(2)->Apply(repeated);

void same_pe_entry_traced(benchmark::State& state) {
  Runtime rt({.pes = 1, .trace = 1 << 16});
  const Array<Cell> cells = ring(rt, {5, 5, 5});
  for (auto _ : state) {
    cells[{0, 0, 0}].send<&Cell::hop>(hops);
    rt.run();
    state.SetIterationTime(cells.object_at(0).watch.seconds());
  }
  report_each(state, hops);
}
BENCHMARK(same_pe_entry_traced)->Apply(repeated);

void same_pe_message(benchmark::State& state) {
  Runtime rt({.pes = 1});
  const Array<Cell> cells = ring(rt, {5, 5, 5});
  for (auto _ : state) {
    const Ref<Payload> first = make_message<Payload>(64);
    first->left = hops;
    cells[{0, 0, 0}].send<&Cell::hop_message>(first);
    rt.run();
    state.SetIterationTime(cells.object_at(0).watch.seconds());
  }
  report_each(state, hops);
}
BENCHMARK(same_pe_message)->Apply(repeated);

void same_pe_awaited(benchmark::State& state) {
  Runtime rt({.pes = 1});
  const Array<Cell> cells = ring(rt, {5, 5, 5});
  constexpr std::int64_t rounds = hops / 125;
  for (auto _ : state) {
    cells.broadcast<&Cell::awaiting>(rounds);
    rt.run();
    state.SetIterationTime(cells.object_at(0).watch.seconds());
  }
  report_each(state, rounds * 125);
}
BENCHMARK(same_pe_awaited)->Apply(repeated);

void cross_thread_one_way(benchmark::State& state) {
  Runtime rt({.pes = 2});
  const Array<Cell> cells = ring(rt, {1, 1, 2});
  for (int i = 0; i < 2; ++i) cells.object_at(i).next = cells.index(1 - i);
  for (auto _ : state) {
    cells[{0, 0, 0}].send<&Cell::hop>(hops);
    rt.run();
    state.SetIterationTime(cells.object_at(0).watch.seconds());
  }
  report_each(state, hops);
}
BENCHMARK(cross_thread_one_way)->Apply(repeated);

void cross_thread_message(benchmark::State& state) {
  Runtime rt({.pes = 2});
  const Array<Cell> cells = ring(rt, {1, 1, 2});
  for (int i = 0; i < 2; ++i) cells.object_at(i).next = cells.index(1 - i);
  for (auto _ : state) {
    const Ref<Payload> first = make_message<Payload>(64);
    first->left = hops;
    cells[{0, 0, 0}].send<&Cell::hop_message>(first);
    rt.run();
    state.SetIterationTime(cells.object_at(0).watch.seconds());
  }
  report_each(state, hops);
}
BENCHMARK(cross_thread_message)->Apply(repeated);

}  // namespace
}  // namespace fg::bench
