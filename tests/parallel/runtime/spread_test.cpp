// SPDX-License-Identifier: BSD-3-Clause
//
// Multicasts along trees of processes: every member gets each message once, whole, in one buffer
// for a process, also after elements have moved; processes that disagree get an error.
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "processes.hpp"
#include "spread_cases.hpp"

namespace fg::test {
namespace {

TEST(Spread, ReachesEveryMemberOnceWithTheSameNumbers) {
  for (const Spread& spread : spreads)
    for (const auto& [pes, communication] : modes)
      for (const auto& hosts : ways_to_share_hosts()) {
        SCOPED_TRACE("fan-out " + std::to_string(spread.fan_out) + ", " + std::to_string(pes) +
                     " PEs" + (hosts.empty() ? "" : ", two hosts"));
        RuntimeOptions here_options = options(pes, communication);
        here_options.hosts = hosts;
        Listeners here(here_options, 13, 4, 12345, spread);
        here.run();
        const auto found = added_up({here.check()});
        if (transport().rank() == 0) {
          EXPECT_EQ(found[0], 13);
        }
      }
}

TEST(Spread, GoesOnAfterElementsHaveMoved) {
  for (const Spread& spread : spreads) {
    Listeners here(options(2), 10, 3, 3000, spread);
    here.run();
    for (const std::uint64_t seed : {5, 6}) {
      here.scatter(seed);
      here.run();
    }
    here.check();
  }
}

/// Moves by itself, then gets multicasts that still go to its old place.
class Mover : public Chare<Mover, 1> {
 public:
  void go(std::int64_t pe) { move_to(static_cast<int>(pe)); }
  void restart() override { ++moves; }
  void hear(Ref<const Potential> message) {
    ++heard;
    sum += message->step + message->trailing<std::int64_t>()[message->trailing_bytes() / 8 - 1];
  }
  void archive(Archive& with) override { with(moves, heard, sum); }
  std::int64_t moves = 0, heard = 0, sum = 0;
};

TEST(Spread, FollowsElementsThatMoveByThemselves) {
  Runtime runtime(options(2));
  const std::array<int, 1> shape{12};
  const auto array = runtime.create_array<Mover>(shape, block_map(shape, runtime.pes()));
  std::vector<std::array<int, 1>> all;
  for (int i = 0; i < 12; ++i) all.push_back({i});
  const Section<Mover> section(array, all, {.fan_out = 1, .piece_bytes = 5000});
  std::int64_t expected = 0;
  for (int round = 0; round < 6; ++round) {
    if (runtime.process() == round % runtime.processes()) {
      for (int i = 0; i < 12; ++i)
        array.at_ordinal(i).send<&Mover::go>(std::int64_t{(i * 7 + round * 5) % runtime.pes()});
      auto message = make_message<Potential>(30000 * sizeof(std::int64_t));
      message->step = round;
      message->trailing<std::int64_t>()[29999] = 100;
      section.multicast<&Mover::hear>(std::move(message));
    }
    expected += round + 100;
    runtime.run_until_quiescent();
  }
  std::int64_t moves = 0, here = 0;
  for (int i = 0; i < 12; ++i) {
    if (!array.here_at(i)) continue;
    ++here;
    moves += array.object_at(i).moves;
    EXPECT_EQ(array.object_at(i).heard, 6);
    EXPECT_EQ(array.object_at(i).sum, expected);
  }
  const auto sums = added_up({here, moves});
  if (transport().rank() == 0) {
    EXPECT_EQ(sums[0], 12);
    EXPECT_GE(sums[1], 12);
  }
}

/// Keeps the address of what it got.
class Sharer : public Chare<Sharer, 1> {
 public:
  void hear(Ref<const Potential> message) { kept = std::move(message); }
  Ref<const Potential> kept;
};

TEST(Spread, ElementsOfAProcessShareOneBuffer) {
  Runtime runtime(options(2));
  const std::array<int, 1> shape{16};
  const auto array = runtime.create_array<Sharer>(shape, hashed_map(shape, runtime.pes(), 1));
  std::vector<std::array<int, 1>> all;
  for (int i = 0; i < 16; ++i) all.push_back({i});
  const Section<Sharer> section(array, all, {.fan_out = 2, .piece_bytes = 10000});
  if (runtime.process() == runtime.processes() - 1)
    section.multicast<&Sharer::hear>(make_message<Potential>(100000));
  runtime.run_until_quiescent();
  const Potential* first = nullptr;
  for (int i = 0; i < 16; ++i) {
    if (!array.here_at(i)) continue;
    ASSERT_TRUE(array.object_at(i).kept);
    if (!first) first = array.object_at(i).kept.get();
    EXPECT_EQ(array.object_at(i).kept.get(), first);
  }
}

/// Holds its PE until what it awaits has been taken in, or a minute has passed.
class Holder : public Chare<Holder, 1> {
 public:
  void hold(std::int64_t awaited) {
    array().at_ordinal(0).send<&Holder::go>();
    drive_network();
    const std::int64_t before = runtime().backlog();
    const auto begin = std::chrono::steady_clock::now();
    while (!passed && std::chrono::steady_clock::now() - begin < std::chrono::minutes(1)) {
      drive_network_if_due();
      passed = runtime().backlog() - before >= awaited;
    }
  }
  void go() { line.multicast<&Holder::hear>(make_message<Potential>(100000)); }
  void hear(Ref<const Potential>) {
    ++heard;
    if (ordinal() == array().size() - 1 && ordinal() > 1)
      array().at_ordinal(1).send<&Holder::answer>();
  }
  void answer() {}
  Section<Holder> line;
  bool passed = false;
  int heard = 0;
};

TEST(SeveralProcesses, TakeInAndPassOnPacketsWithinALongEntry) {
  Runtime runtime(options(1));
  const auto array = runtime.create_array<Holder>({runtime.processes()},
                                                  [](const auto& index) { return index[0]; });
  std::vector<std::array<int, 1>> others;
  for (int i = 1; i < runtime.processes(); ++i) others.push_back({i});
  const Section<Holder> line(array, others, {.fan_out = 1});
  const int here = runtime.process();
  array.object_at(here).line = line;
  // To process 1 come the multicast, which it passes on, and the answer of the last process.
  if (here == 0)
    array.at_ordinal(1).send<&Holder::hold>(std::int64_t{runtime.processes() > 2 ? 2 : 1});
  runtime.run_until_quiescent();
  EXPECT_EQ(array.object_at(here).heard, here > 0);
  EXPECT_EQ(array.object_at(here).passed, here == 1);
}

TEST(SeveralProcesses, WithOtherMembersOfASectionGetAnError) {
  Runtime runtime(options(1));
  const std::array<int, 1> shape{6};
  const auto array = runtime.create_array<Sharer>(shape, round_robin_map(shape, runtime.pes()));
  std::vector<std::array<int, 1>> some{{0}, {1}, {2}, {3}};
  if (runtime.process() == 1) some.push_back({4});
  const Section<Sharer> section(array, some, {.fan_out = 2});
  if (runtime.process() == 0) section.multicast<&Sharer::hear>(make_message<Potential>(10));
  try {
    runtime.run_until_quiescent();
    FAIL() << "no error";
  } catch (const InternalError& error) {
    EXPECT_NE(std::string(error.what()).find("disagree on the members"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace fg::test
