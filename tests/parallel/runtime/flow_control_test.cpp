// SPDX-License-Identifier: BSD-3-Clause
//
// Flow control on several processes, started by mpiexec: the messages in a process stay bounded.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "cells.hpp"
#include "exchange_cases.hpp"
#include "processes.hpp"
#include "support/effort.hpp"

namespace fg::test {
namespace {

class Sink : public Chare<Sink, 1> {
 public:
  void take(Ref<const Numbers> message) { sum += message->from; }
  void flood(std::int64_t count) {
    const auto message = numbers(0, 1, 4);
    for (std::int64_t i = 0; i < count; ++i) array().at_ordinal(0).send<&Sink::take>(message);
  }
  std::int64_t sum = 0;
};

/// A burst to one PE: the messages that it holds stay bounded, and every message arrives once.
TEST(FlowControl, ABurstToOnePeIsBoundedAndArrivesWhole) {
  const std::int64_t each = effort(300000);
  Runtime runtime(options(1));
  const std::array<int, 1> shape{runtime.pes()};
  const auto array = runtime.create_array<Sink>(shape, block_map(shape, runtime.pes()));
  const std::size_t before = Pool::reserved_bytes();
  if (runtime.process() == 0) array.broadcast<&Sink::flood>(each);
  runtime.run_until_quiescent();
  if (runtime.process() == 0) {
    EXPECT_EQ(array.object_at(0).sum, each * runtime.pes());
    EXPECT_LT(Pool::reserved_bytes() - before, std::size_t{64} << 20);
  }
}

/// Records with every message whether its process takes packets in.
class Gauge : public Chare<Gauge, 1> {
 public:
  void look() {
    const PacketSink* const network = runtime().network();
    closed.push_back(network && network->full());
  }
  std::vector<bool> closed;
};

/// Messages are queued by PEs, communication threads and threads outside.
TEST(FlowControl, WhatIsQueuedIsCountedExactlyAndItsLimitHolds) {
  constexpr int cells = 11;
  for (const auto& [pes, communication] : modes)
    for (const std::size_t trace : {0, 1000}) {
      RuntimeOptions how = options(pes, communication);
      how.trace = trace;
      Transposer busy(how, cells, 40);
      Runtime& runtime = busy.runtime;
      const std::array<int, 1> shape{cells};
      const auto map = block_map(shape, runtime.pes());
      const auto adders = runtime.create_array<Cell>(
          shape, map, [](const auto&) { return std::make_unique<Cell>(12, 3); });
      const auto gauges = runtime.create_array<Gauge>(shape, map);
      const Reduction<double> total(adders, 2, deliver_at<&Cell::reduced>(adders));
      const Reduction<std::int64_t> tally(adders, Cell::tally_width,
                                          deliver_at<&Cell::tallied>(adders));
      for (int i = 0; i < cells; ++i)
        if (adders.here_at(i)) adders.object_at(i).set_reductions(total, tally);
      if (runtime.process() == 0) adders.broadcast<&Cell::life>();
      busy.run();
      EXPECT_EQ(runtime.backlog(), 0) << pes << " PEs, " << communication << " threads";

      const std::int64_t limit = Network::backlog_per_pe * runtime.pes_here();
      if (runtime.process() == 0) {
        for (std::int64_t i = 0; i <= limit; ++i) gauges.at_ordinal(0).send<&Gauge::look>();
        EXPECT_EQ(runtime.backlog(), limit + 1);
      }
      runtime.run_until_quiescent();
      EXPECT_EQ(runtime.backlog(), 0);
      if (runtime.process() != 0) continue;
      const std::vector<bool>& closed = gauges.object_at(0).closed;
      ASSERT_EQ(std::ssize(closed), limit + 1);
      EXPECT_EQ(closed.front(), runtime.processes() > 1);
      EXPECT_EQ(std::count(closed.begin(), closed.end(), true), runtime.processes() > 1 ? 1 : 0);
    }
}

TEST(FlowControl, RunsFollowOneAnother) {
  Runtime runtime(options(2, 1));
  const std::array<int, 1> shape{9};
  const auto array = runtime.create_array<Sink>(shape, round_robin_map(shape, runtime.pes()));
  for (int run = 1; run <= 50; ++run) {
    if (runtime.process() == 0) array.broadcast<&Sink::take>(numbers(0, 1, 1));
    runtime.run_until_quiescent();
    for (int i = 0; i < 9; ++i) {
      if (!array.here_at(i)) continue;
      EXPECT_EQ(array.object_at(i).sum, run);
    }
  }
}

}  // namespace
}  // namespace fg::test
