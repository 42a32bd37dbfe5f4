// SPDX-License-Identifier: BSD-3-Clause
//
// Multicasts and reductions. "each" is the time per receiving chare or per contributing chare.
#include <cstdint>

#include "runtime/runtime.hpp"
#include "stopwatch.hpp"

namespace fg::bench {
namespace {

constexpr std::int64_t rounds = 1000;
constexpr int members = 100;

struct Positions : Message {
  std::int64_t step;
};

class Member : public Chare<Member, 1> {
 public:
  void accept(Ref<const Positions> m) { sum += static_cast<double>(m->step); }
  void total(Ref<const ReductionMessage<double>> m) { sum += m->values()[0]; }
  Task multicasts() {
    const Ref<Positions> message = make_message<Positions>(4096);
    if (ordinal() == 0) watch.start();
    for (std::int64_t step = 0; step < rounds; ++step) {
      if (ordinal() == step % members) array().broadcast_at<&Member::accept>(step, message);
      co_await when<&Member::accept>(step);
    }
    if (ordinal() == 0) watch.stop();
  }
  Task reductions() {
    if (ordinal() == 0) watch.start();
    for (std::int64_t step = 0; step < rounds; ++step) {
      reduction.contribute(*this, step, {1, 2, 3, 4, 5, 6, 7, 8});
      co_await when<&Member::total>(step);
    }
    if (ordinal() == 0) watch.stop();
  }
  Reduction<double> reduction;
  double sum = 0;
  Stopwatch watch;
};

template <auto Life>
void collective(benchmark::State& state) {
  const int pes = static_cast<int>(state.range(0));
  Runtime rt({.pes = pes});
  const auto all = rt.create_array<Member>({members}, block_map<1>({members}, pes));
  const Reduction<double> reduction(all, 8, deliver_at<&Member::total>(all));
  for (int i = 0; i < members; ++i) all.object_at(i).reduction = reduction;
  for (auto _ : state) {
    all.template broadcast<Life>();
    rt.run_until_quiescent();
    state.SetIterationTime(all.object_at(0).watch.seconds());
  }
  report_each(state, rounds * members);
}
void multicast(benchmark::State& state) {
  collective<&Member::multicasts>(state);
}
void all_reduce(benchmark::State& state) {
  collective<&Member::reductions>(state);
}
BENCHMARK(multicast)->Arg(1)->Arg(2)->Apply(repeated);
BENCHMARK(all_reduce)->Arg(1)->Arg(2)->Apply(repeated);

}  // namespace
}  // namespace fg::bench
