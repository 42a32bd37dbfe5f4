// SPDX-License-Identifier: BSD-3-Clause
//
// The runtime on several processes, started by mpiexec. Every process runs every test; what one
// process would have computed alone is computed beside it and compared.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <mutex>
#include <numeric>
#include <utility>

#include "exchange_cases.hpp"
#include "migration_cases.hpp"
#include "runtime/runtime.hpp"
#include "support/effort.hpp"
#include "transport/mpi/mpi_transport.hpp"

namespace fg {
namespace {

Transport& transport() {
  static const std::unique_ptr<Transport> all =
      make_mpi_transport({.channels = 2, .share_memory = std::getenv("FG_TEST_APART") == nullptr});
  return *all;
}

/// Of processes without threads, as simulated ones are.
Transport& single_threaded_transport() {
  transport();  // has MPI, and ends it
  static const std::unique_ptr<Transport> all = make_mpi_transport({.single_threaded = true});
  return *all;
}

RuntimeOptions options(int pes, int communication_threads = 0) {
  if (pes == 0) return {.pes = 1, .transport = &single_threaded_transport()};
  return {.pes = pes, .transport = &transport(), .communication_threads = communication_threads};
}

/// PEs and communication threads of a process: the three modes, and one PE on the caller's thread.
constexpr std::pair<int, int> modes[] = {{1, 0}, {2, 0}, {3, 0}, {1, 1}, {2, 1}, {2, 2}, {0, 0}};

struct Numbers : Message {
  std::int64_t step;
  std::int32_t from;
};

Ref<const Numbers> numbers(std::int64_t step, int from, std::size_t count) {
  auto message = make_message<Numbers>(count * sizeof(double));
  message->step = step;
  message->from = from;
  for (std::size_t i = 0; i < count; ++i)
    message->trailing<double>()[i] = std::sin(static_cast<double>(i) + from);
  return message;
}

/// Cells on a ring: each sends its value to all others for some steps and adds theirs up in order
/// of arrival of whole numbers, so the sum is the same whatever the order.
class Cell : public Chare<Cell, 1> {
 public:
  Cell(std::int64_t steps, std::size_t width) : steps_(steps), width_(width) {}

  Task life() {
    for (std::int64_t step = 0; step < steps_; ++step) {
      const auto message = numbers(step, ordinal(), width_);
      array().broadcast_at<&Cell::accept>(step, message);
      co_await when<&Cell::accept>(step, array().size()).bind(*this);
      const double mine[] = {std::sqrt(static_cast<double>(sum_ % 1000003 + 1)),
                             1.0 / (ordinal() + 1)};
      total.contribute(*this, step, mine);
      co_await when<&Cell::reduced>(step).bind(*this);
    }
  }
  void accept(Ref<const Numbers> message) {
    sum_ += (message->step + 1) * (message->from + 1) * (ordinal() + 3);
    for (std::size_t i = 0; i < width_; i += 97)
      wrong_ += message->trailing<double>()[i] != std::sin(static_cast<double>(i) + message->from);
  }
  void reduced(Ref<const ReductionMessage<double>> message) {
    digest_ = digest_ * 31 + std::llround(message->values()[0] * 1e6) % 1000003;
    last_ = message->values()[1];
  }

  Reduction<double> total;
  std::int64_t sum_ = 0, digest_ = 0, wrong_ = 0;
  double last_ = 0;

 private:
  std::int64_t steps_;
  std::size_t width_;
};

struct Outcome {
  std::vector<std::int64_t> sums, digests;
  std::vector<double> last;
};

Outcome run_cells(const RuntimeOptions& how, int cells, int steps, std::size_t width, bool hashed) {
  Runtime runtime(how);
  const std::array<int, 1> shape{cells};
  const auto array = runtime.create_array<Cell>(
      shape,
      [&](const auto& index) {
        return hashed ? maps::hashed(index, shape, runtime.pes(), 7)
                      : maps::block(index, shape, runtime.pes());
      },
      [&](const auto&) { return std::make_unique<Cell>(steps, width); });
  const Reduction<double> total(array, 2, deliver_at<&Cell::reduced>(array));
  for (int i = 0; i < cells; ++i)
    if (array.here_at(i)) array.object_at(i).total = total;
  if (runtime.process() == 0) array.broadcast<&Cell::life>();
  runtime.run_until_quiescent();
  Outcome outcome{std::vector<std::int64_t>(cells), std::vector<std::int64_t>(cells),
                  std::vector<double>(cells)};
  for (int i = 0; i < cells; ++i) {
    if (!array.here_at(i)) continue;
    const Cell& cell = array.object_at(i);
    EXPECT_EQ(cell.wrong_, 0);
    outcome.sums[i] = cell.sum_;
    outcome.digests[i] = cell.digest_;
    outcome.last[i] = cell.last_;
  }
  return outcome;
}

TEST(RuntimeProcesses, MulticastsAndReductionsGiveTheBitsOfOneProcess) {
  for (const int cells : {5, 23})
    for (const std::size_t width : {std::size_t{3}, std::size_t{2000}}) {
      const Outcome alone = run_cells({.pes = 2}, cells, 12, width, false);
      for (const auto& [pes, communication] : modes)
        for (const bool hashed : {false, true}) {
          const Outcome here = run_cells(options(pes, communication), cells, 12, width, hashed);
          for (int i = 0; i < cells; ++i) {
            if (here.sums[i] == 0) continue;  // in another process
            EXPECT_EQ(here.sums[i], alone.sums[i]);
            EXPECT_EQ(here.digests[i], alone.digests[i]);
            EXPECT_EQ(here.last[i], alone.last[i]);  // to the bit
          }
        }
    }
}

/// Sends a burst on to a random other until its budget is gone.
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
  for (int trial = 0; trial < test::effort(60); ++trial) {
    const auto [pes, communication] = modes[static_cast<std::size_t>(trial) % std::size(modes)];
    const auto visits = [&](const RuntimeOptions& how) {
      Runtime runtime(how);
      const std::array<int, 1> shape{17};
      const auto array = runtime.create_array<Wanderer>(
          shape, hashed_map(shape, runtime.pes(), static_cast<std::uint64_t>(trial)));
      if (runtime.process() == 0)
        array.at_ordinal(trial % 17).send<&Wanderer::hop>(std::uint64_t(40 + trial % 60 * 7));
      // From the last process: the wave has to find a request that is not its own.
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

class Sink : public Chare<Sink, 1> {
 public:
  void take(Ref<const Numbers> message) { sum += message->from; }
  void flood(std::int64_t count) {
    const auto message = numbers(0, 1, 4);
    for (std::int64_t i = 0; i < count; ++i) array().at_ordinal(0).send<&Sink::take>(message);
  }
  std::int64_t sum = 0;
};

/// A burst at one PE: what it holds stays bounded, and every message comes once.
TEST(RuntimeProcesses, ABurstAtOnePe) {
  const std::int64_t each = test::effort(300000);
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

TEST(RuntimeProcesses, RunsFollowOneAnother) {
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

/// The numbers of all processes, added up in process 0.
std::vector<std::int64_t> added_up(std::vector<std::int64_t> mine) {
  const auto parts = transport().gather(std::as_bytes(std::span(mine)));
  for (std::size_t process = 1; process < parts.size(); ++process)
    for (std::size_t i = 0; i < mine.size(); ++i)
      mine[i] += reinterpret_cast<const std::int64_t*>(parts[process].data())[i];
  return mine;
}

TEST(RuntimeProcesses, EveryMessageComesOnceInAMigrationStorm) {
  const int passes = static_cast<int>(test::effort(400));
  const test::Nomad::Account still = test::storm({.pes = 1}, 40, 60, passes);
  for (const auto& [pes, communication] : modes) {
    std::int64_t moves = 0;
    const auto here = test::storm(options(pes, communication), 40, 60, passes, &moves);
    const auto all = added_up({here.messages, static_cast<std::int64_t>(here.sum), moves});
    if (transport().rank() != 0) continue;
    EXPECT_EQ(all[0], still.messages);
    EXPECT_EQ(all[1], static_cast<std::int64_t>(still.sum));
    EXPECT_GT(all[2], 1000);
  }
}

TEST(RuntimeProcesses, LivesGoOnInOtherProcessesToTheBit) {
  const std::vector<double> still = test::settle_down({.pes = 1}, 20, 40, false);
  for (const auto& [pes, communication] : modes) {
    const auto here = test::settle_down(options(pes, communication), 20, 40, true);
    std::int64_t found = 0;
    for (std::size_t i = 0; i < here.size(); ++i) {
      if (here[i] == 0) continue;
      ++found;
      EXPECT_EQ(here[i], still[i]);
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
  const auto array = runtime.create_array<test::Nomad>(shape, block_map(shape, runtime.pes()));
  const Section<test::Nomad> some(array, std::vector<std::array<int, 1>>{{3}, {4}, {29}});
  for (int round = 0; round < 8; ++round) {
    std::vector<int> pes;
    for (int i = 0; i < 30; ++i)
      pes.push_back(static_cast<int>(test::mixed(static_cast<std::uint64_t>(100 * round + i)) %
                                     static_cast<std::uint64_t>(runtime.pes())));
    const Runtime::Placement placement{array.core(), pes};
    runtime.relocate({&placement, 1});
    for (int i = 0; i < 30; ++i) {
      const int pe = pes[static_cast<std::size_t>(i)];
      EXPECT_EQ(array.pe_of({i}), pe);
      ASSERT_EQ(array.here_at(i), runtime.process_of(pe) == runtime.process());
    }
    if (runtime.process() == 0) some.multicast<&test::Nomad::pass>(std::uint64_t(round) << 32);
    runtime.run_until_quiescent();
    runtime.agree_on_places();
    if (!array.here_at(29)) continue;
    EXPECT_EQ(array.object_at(29).account.messages, round + 1);
  }
}

TEST(RuntimeProcesses, ExchangesGoOnAfterTheirEndsHaveMoved) {
  test::Transposer alone({.pes = 1}, 11, 120);
  alone.run();
  const auto one = alone.digests();
  for (const auto& [pes, communication] : modes) {
    test::Transposer here(options(pes, communication), 11, 40);
    here.run();
    for (const std::uint64_t seed : {1, 2}) {
      here.scatter(seed);
      if (here.runtime.process() == 0) here.rows.broadcast<&test::Row::prolong>(std::int64_t{40});
      here.runtime.run_until_quiescent();
    }
    const auto all = added_up(here.digests());
    if (transport().rank() == 0) {
      EXPECT_EQ(all, one);
    }
  }
}

}  // namespace
}  // namespace fg
