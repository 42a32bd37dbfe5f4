// SPDX-License-Identifier: BSD-3-Clause
//
// Many messages at once: producers on other PEs send to one chare. "rate" is entries per second,
// from the first send (including the start of the threads) to the last entry. If there are more PEs
// than cores, they take turns.
#include <algorithm>
#include <atomic>
#include <cstdint>

#include "runtime/runtime.hpp"
#include "stopwatch.hpp"

namespace fg::bench {
namespace {

constexpr std::int64_t messages = 400000;

class Post : public Chare<Post, 1> {
 public:
  void produce(std::int64_t count) {
    const Element<Post> sink = array()[{0}];
    for (std::int64_t i = 0; i < count; ++i) sink.send<&Post::consume>(i);
  }
  void consume(std::int64_t) {
    if (++received == expected) runtime().stop();
  }
  std::int64_t received = 0, expected = 0;
};

void fan_in(benchmark::State& state) {
  const int producers = static_cast<int>(state.range(0));
  Runtime rt({.pes = producers + 1});
  const auto posts =
      rt.create_array<Post>({producers + 1}, round_robin_map<1>({producers + 1}, producers + 1));
  Post& sink = posts.object({0});
  const std::int64_t each = messages / producers;
  Stopwatch watch;
  for (auto _ : state) {
    sink.received = 0;
    sink.expected = each * producers;
    for (int p = 1; p <= producers; ++p) posts[{p}].send<&Post::produce>(each);
    watch.start();
    rt.run();
    watch.stop();
    state.SetIterationTime(watch.seconds());
  }
  report_rate(state, each * producers);
}
BENCHMARK(fan_in)->Arg(1)->Arg(2)->Arg(4)->Arg(8)->Apply(repeated);

/// All work is available from the start. With more PEs than cores it should take no longer than
/// with as many PEs as cores.
class Grain : public Chare<Grain, 1> {
 public:
  void work(std::int64_t rounds) {
    for (std::int64_t i = 0; i < 2000; ++i) benchmark::DoNotOptimize(sum += static_cast<double>(i));
    if (rounds > 0)
      array().at_ordinal((ordinal() + 1) % array().size()).send<&Grain::work>(rounds - 1);
  }
  double sum = 0;
};

void oversubscribed(benchmark::State& state) {
  const int pes = static_cast<int>(state.range(0));
  Runtime rt({.pes = pes});
  const auto grains = rt.create_array<Grain>({64}, round_robin_map<1>({64}, pes));
  Stopwatch watch;
  for (auto _ : state) {
    watch.start();
    grains.broadcast<&Grain::work>(100);
    rt.run_until_quiescent();
    watch.stop();
    state.SetIterationTime(watch.seconds());
  }
  report_each(state, 6464);
}
BENCHMARK(oversubscribed)->Arg(1)->Arg(2)->Arg(4)->Arg(8)->Apply(repeated);

}  // namespace
}  // namespace fg::bench
