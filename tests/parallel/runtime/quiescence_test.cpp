// SPDX-License-Identifier: BSD-3-Clause
//
// Random cascades: each message starts 0 to 3 more until a budget is used up, so PEs often become
// idle and get work again. When quiescence is reported, every message that was sent must have been
// counted; a report that comes too early gives a smaller count.
#include <atomic>
#include <cstdint>

#include "parallel/runtime/pes.hpp"
#include "runtime/runtime.hpp"
#include "support/effort.hpp"

namespace fg {
namespace {

std::uint64_t mix(std::uint64_t z) {
  z += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

class Spark : public Chare<Spark, 1> {
 public:
  struct Shared {
    std::atomic<int> budget{0};
    std::atomic<int> alive{0};  // messages sent and not yet processed
    int false_alarms = 0;
    int alarms = 0;
    int trials = 0;
    int budget_per_trial = 0;
    std::uint64_t seed = 0;
  };
  explicit Spark(Shared& shared) : shared_(shared) {}

  void spark(std::uint64_t random) {
    const int children = static_cast<int>(random % 4);
    for (int child = 0; child < children; ++child) {
      if (shared_.budget.fetch_sub(1, std::memory_order_relaxed) <= 0) break;
      random = mix(random);
      shared_.alive.fetch_add(1, std::memory_order_relaxed);
      const int to = static_cast<int>(random >> 8) & 0x7fff;
      array()
          .at_ordinal(to % array().size())
          .send<&Spark::spark>(random, static_cast<Lane>(random % 4));
    }
    shared_.alive.fetch_sub(1, std::memory_order_relaxed);
  }

  void quiet() {
    ++shared_.alarms;
    shared_.false_alarms += shared_.alive.load(std::memory_order_relaxed) != 0;
    if (--shared_.trials <= 0) return runtime().stop();
    begin();
  }
  void begin() {
    runtime().notify_when_quiet<&Spark::quiet>(self());
    shared_.budget.store(shared_.budget_per_trial, std::memory_order_relaxed);
    shared_.seed = mix(shared_.seed);
    shared_.alive.fetch_add(1, std::memory_order_relaxed);
    self().send<&Spark::spark>(shared_.seed | 3u);
  }

 private:
  Shared& shared_;
};

class Quiet : public testing::TestWithParam<int> {};

TEST_P(Quiet, IsNeverReportedEarly) {
  const int pes = GetParam();
  Spark::Shared shared;
  const int trials = static_cast<int>(test::effort(pes == 1 ? 30000 : 15000));
  shared.seed = 12345;
  for (int budget : {3, 40, 400}) {
    Runtime rt({.pes = pes, .pin = false});
    const auto sparks =
        rt.create_array<Spark>({13}, round_robin_map<1>({13}, pes),
                               [&](const auto&) { return std::make_unique<Spark>(shared); });
    shared.alarms = 0;
    shared.trials = trials / budget + 100;
    shared.budget_per_trial = budget;
    const int expected = shared.trials;
    sparks[{5}].send<&Spark::begin>();
    rt.run();
    EXPECT_EQ(shared.alarms, expected);
    EXPECT_EQ(shared.false_alarms, 0);
  }
}

TEST_P(Quiet, EndsARunThatHasNothingToDo) {
  Runtime rt({.pes = GetParam(), .pin = false});
  Spark::Shared shared;
  rt.create_array<Spark>({4}, round_robin_map<1>({4}, GetParam()),
                         [&](const auto&) { return std::make_unique<Spark>(shared); });
  rt.run_until_quiescent();
  rt.run_until_quiescent();
}

INSTANTIATE_TEST_SUITE_P(All, Quiet, all_pes(), pes_name);

}  // namespace
}  // namespace fg
