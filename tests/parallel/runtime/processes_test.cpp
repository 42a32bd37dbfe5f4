// SPDX-License-Identifier: BSD-3-Clause
//
// The runtime on several processes, started by mpiexec. Every process runs every test; results are
// compared with those that one process computes alone.
#include "processes.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <utility>

#include "cells.hpp"
#include "exchange_cases.hpp"
#include "migration_cases.hpp"
#include "support/effort.hpp"

namespace fg::test {
namespace {

TEST(RuntimeProcesses, MulticastsAndReductionsGiveTheBitsOfOneProcess) {
  for (const int cells : {5, 23})
    for (const std::size_t width : {std::size_t{3}, std::size_t{2000}}) {
      const CellResults alone = run_cells({.pes = 2}, cells, 12, width, false);
      for (const auto& [pes, communication] : modes)
        for (const bool hashed : {false, true}) {
          RuntimeOptions here_options = options(pes, communication);
          if (hashed) here_options.hosts = ways_to_share_hosts().back();
          const CellResults here = run_cells(here_options, cells, 12, width, hashed);
          std::int64_t compared = 0;
          for (std::size_t i = 0; i < here.size(); ++i) {
            if (!here[i]) continue;
            EXPECT_TRUE(*here[i] == *alone[i]) << "cell " << i;
            ++compared;
          }
          const auto all = added_up({compared});
          if (transport().rank() == 0) {
            EXPECT_EQ(all[0], cells) << "each lives in one process";
          }
        }
    }
}

/// Sends a burst on to another random element until its budget is used up.
class Wanderer : public Chare<Wanderer, 1> {
 public:
  void hop(std::uint64_t budget) {
    ++visits;
    std::uint64_t state = budget * 0x9e3779b97f4a7c15u + static_cast<std::uint64_t>(ordinal());
    state ^= state >> 29;
    if (budget == 0) return;
    array()
        .at_ordinal(static_cast<int>(state % static_cast<std::uint64_t>(array().size())))
        .send<&Wanderer::hop>(budget - 1);
    if (state % 16 == 0) split(budget / 2);
  }
  void split(std::uint64_t budget) {
    if (budget == 0) return;
    array().at_ordinal((ordinal() + 1) % array().size()).send<&Wanderer::hop>(budget - 1);
  }
  void quiet() {
    at_quiet = visits;
    ++quiets;
    runtime().stop();
  }
  std::int64_t visits = 0, at_quiet = -1, quiets = 0;
};

TEST(RuntimeProcesses, QuietIsNeverSeenTooEarly) {
  for (int trial = 0; trial < effort(60); ++trial) {
    const auto [pes, communication] = modes[static_cast<std::size_t>(trial) % std::size(modes)];
    const auto visits = [&](const RuntimeOptions& how) {
      Runtime runtime(how);
      const std::array<int, 1> shape{17};
      const auto array = runtime.create_array<Wanderer>(
          shape, hashed_map(shape, runtime.pes(), static_cast<std::uint64_t>(trial)));
      if (runtime.process() == 0)
        array.at_ordinal(trial % 17).send<&Wanderer::hop>(std::uint64_t(40 + trial % 60 * 7));
      // Requested by the last process: the wave has to find a request that another process made.
      if (runtime.process() == runtime.processes() - 1)
        runtime.notify_when_quiet<&Wanderer::quiet>(array.at_ordinal(3));
      runtime.run();
      std::int64_t sum = 0, quiets = 0;
      for (int i = 0; i < 17; ++i) {
        if (!array.here_at(i)) continue;
        sum += array.object_at(i).visits;
        quiets += array.object_at(i).quiets;
      }
      return std::pair{sum, quiets};
    };
    const auto alone = visits({.pes = 1});
    const auto [here, quiets] = visits(options(pes, communication));
    std::int64_t sum = 0, calls = 0;
    const std::int64_t mine[] = {here, quiets};
    for (const auto& part : transport().gather(std::as_bytes(std::span(mine)))) {
      const auto* numbers = reinterpret_cast<const std::int64_t*>(part.data());
      sum += numbers[0];
      calls += numbers[1];
    }
    if (transport().rank() == 0) {
      EXPECT_EQ(sum, alone.first) << "trial " << trial;
      EXPECT_EQ(calls, 1);
    }
  }
}

class Thrower : public Chare<Thrower, 1> {
 public:
  void go() {
    throw NumericsError(
        {.what = "it broke", .where = "Thrower", .value = std::to_string(ordinal())});
  }
  void wait_here() {}
  Task wait_forever() { co_await when<&Thrower::wait_here>(5).bind(*this); }
};

TEST(RuntimeProcesses, AnErrorReachesAllProcesses) {
  Runtime runtime(options(2));
  const std::array<int, 1> shape{12};
  const auto array = runtime.create_array<Thrower>(shape, block_map(shape, runtime.pes()));
  if (runtime.process() == 0) array.at_ordinal(11).send<&Thrower::go>();
  try {
    runtime.run();
    FAIL() << "no error";
  } catch (const NumericsError& error) {
    EXPECT_EQ(error.parts().what, "it broke");
    EXPECT_EQ(error.parts().value, "11");
  }
}

void deadlock(const RuntimeOptions& how) {
  Runtime runtime(how);
  const std::array<int, 1> shape{6};
  const auto array = runtime.create_array<Thrower>(shape, block_map(shape, runtime.pes()));
  if (runtime.process() == 0)
    for (const int i : {0, 5}) array.at_ordinal(i).send<&Thrower::wait_forever>();
  try {
    runtime.run();
    FAIL() << "no error";
  } catch (const InternalError& error) {
    EXPECT_NE(error.parts().where.find("Thrower[0]"), std::string::npos) << error.what();
    EXPECT_NE(error.parts().where.find("Thrower[5]"), std::string::npos) << error.what();
  }
}
TEST(RuntimeProcesses, ADeadlockNamesWhoWaitsInEveryProcess) {
  deadlock(options(1));
}
TEST(RuntimeProcesses, ADeadlockIsSeenWithoutThreads) {
  deadlock(options(0));
}

TEST(RuntimeProcesses, EveryMessageArrivesOnceInAMigrationStorm) {
  const int passes = static_cast<int>(effort(400));
  const Nomad::Account still = storm({.pes = 1}, 40, 60, passes);
  for (const auto& [pes, communication] : modes) {
    std::int64_t moves = 0;
    const auto here = storm(options(pes, communication), 40, 60, passes, &moves);
    const auto all = added_up({here.messages, static_cast<std::int64_t>(here.sum), moves});
    if (transport().rank() != 0) continue;
    EXPECT_EQ(all[0], still.messages);
    EXPECT_EQ(all[1], static_cast<std::int64_t>(still.sum));
    EXPECT_GT(all[2], 1000);
  }
}

TEST(RuntimeProcesses, LivesContinueInOtherProcessesWithTheSameBits) {
  const SettlerValues still = settle_down({.pes = 1}, 20, 40, false);
  for (const auto& [pes, communication] : modes) {
    const auto here = settle_down(options(pes, communication), 20, 40, true);
    std::int64_t found = 0;
    for (std::size_t i = 0; i < here.size(); ++i) {
      if (!here[i]) continue;
      ++found;
      EXPECT_EQ(*here[i], *still[i]);
    }
    const auto all = added_up({found});
    if (transport().rank() == 0) {
      EXPECT_EQ(all[0], 20);
    }
  }
}

TEST(RuntimeProcesses, ElementsMoveAllAtOnceBetweenRuns) {
  Runtime runtime(options(2));
  const std::array<int, 1> shape{30};
  const auto array = runtime.create_array<Nomad>(shape, block_map(shape, runtime.pes()));
  const Section<Nomad> some(array, std::vector<std::array<int, 1>>{{3}, {4}, {29}});
  for (int round = 0; round < 8; ++round) {
    std::vector<int> pes;
    for (int i = 0; i < 30; ++i)
      pes.push_back(static_cast<int>(mixed(static_cast<std::uint64_t>(100 * round + i)) %
                                     static_cast<std::uint64_t>(runtime.pes())));
    const Runtime::Placement placement{array.core(), pes};
    runtime.relocate({&placement, 1});
    for (int i = 0; i < 30; ++i) {
      const int pe = pes[static_cast<std::size_t>(i)];
      EXPECT_EQ(array.pe_of({i}), pe);
      ASSERT_EQ(array.here_at(i), runtime.process_of(pe) == runtime.process());
    }
    if (runtime.process() == 0) some.multicast<&Nomad::pass>(std::uint64_t(round) << 32);
    runtime.run_until_quiescent();
    runtime.agree_on_places();
    const auto all = added_up({array.here_at(29) ? array.object_at(29).account.messages : 0});
    if (transport().rank() == 0) {
      EXPECT_EQ(all[0], round + 1);
    }
  }
}

TEST(RuntimeProcesses, ExchangesContinueAfterTheirEndsHaveMoved) {
  for (const TransposeHow& how : transposes) {
    SCOPED_TRACE("window " + std::to_string(how.window));
    Transposer alone({.pes = 1}, 11, 60, {.window = 1, .strands = how.strands});
    alone.run();
    const auto one = alone.digests();
    for (const auto& [pes, communication] : modes) {
      Transposer here(options(pes, communication), 11, 20, how);
      here.run();
      for (const std::uint64_t seed : {1, 2}) {
        here.scatter(seed);
        here.prolong(20);
      }
      const auto all = added_up(here.digests());
      if (transport().rank() == 0) {
        EXPECT_EQ(all, one);
      }
    }
  }
}

}  // namespace
}  // namespace fg::test
