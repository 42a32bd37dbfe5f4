// SPDX-License-Identifier: BSD-3-Clause
//
// Messages in random orders: what the runtime promises still holds, and a race put in on purpose is
// found. The race is that of an object which counts messages without looking at their step, though
// one of its neighbours does not wait for it and may be a step ahead.
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "parallel/runtime/cells.hpp"
#include "parallel/runtime/pes.hpp"
#include "runtime/runtime.hpp"

namespace fg {
namespace {

constexpr std::int64_t steps = 50;

struct Share : Message {
  std::int64_t step = 0;
  std::int64_t from = 0;
  std::uint64_t value = 0;
};

class Source;

/// Adds up what three sources send in a step, and answers two of them.
class Adder : public Chare<Adder, 1> {
 public:
  explicit Adder(bool careless) : careless_(careless) {}
  void answer(const std::array<Element<Source>, 2>& sources) { answered_ = sources; }
  void accept(Ref<const Share> share);

 private:
  struct Sum {
    int count = 0;
    std::uint64_t value = 0;
  };
  bool careless_;
  std::int64_t step_ = 0;
  std::array<Sum, 2> sums_;  // of a step and the next one; the careless one uses the first only
  std::array<Element<Source>, 2> answered_;
};

/// Sources 0 and 1 await the sum of each step. Source 2 needs a message of source 1 only.
class Source : public Chare<Source, 1> {
 public:
  void set_adder(const Array<Adder>& adder) { adder_ = adder; }
  void total(std::uint64_t value) { state = state * 31 + value; }
  void go_on(std::uint64_t value) { state = state * 17 + value; }

  Task life() {
    for (std::int64_t step = 0; step < steps; ++step) {
      const Ref<Share> share = make_message<Share>();
      share->step = step;
      share->from = ordinal();
      share->value = state;
      adder_.at_ordinal(0).send<&Adder::accept>(share);
      if (ordinal() == 1) array().at_ordinal(2).send_at<&Source::go_on>(step, state);
      if (ordinal() == 2)
        co_await when<&Source::go_on>(step);
      else
        co_await when<&Source::total>(step);
    }
  }

  std::uint64_t state = 1 + static_cast<std::uint64_t>(ordinal());  // wraps

 private:
  Array<Adder> adder_;
};

void Adder::accept(Ref<const Share> share) {
  // Source 2 gets the message of a step from source 1, which has then the sum of the step before.
  if (!careless_) FG_CHECK(share->step == step_ || share->step == step_ + 1);
  Sum& sum = sums_[careless_ ? 0 : static_cast<std::size_t>(share->step % 2)];
  sum.value += static_cast<std::uint64_t>(share->from + 1) * share->value;
  if (++sum.count < 3) return;
  for (const Element<Source>& source : answered_) source.send_at<&Source::total>(step_, sum.value);
  sum = {};
  ++step_;
}

using States = std::vector<std::uint64_t>;

States states_after(std::uint64_t seed, bool careless, int pes = 1) {
  Runtime runtime({.pes = pes, .pin = false, .delivery_seed = seed});
  const auto adder = runtime.create_array<Adder>(
      {1}, [&](const auto&) { return pes - 1; },
      [&](const auto&) { return std::make_unique<Adder>(careless); });
  const auto sources =
      runtime.create_array<Source>({3}, [&](const auto& index) { return index[0] % pes; });
  adder.object_at(0).answer({sources.at_ordinal(0), sources.at_ordinal(1)});
  for (int i = 0; i < 3; ++i) sources.object_at(i).set_adder(adder);
  sources.broadcast<&Source::life>();
  runtime.run_until_quiescent();
  States states;
  for (int i = 0; i < 3; ++i) states.push_back(sources.object_at(i).state);
  return states;
}

TEST(RacePutInOnPurpose, IsNotSeenInTheUsualOrder) {
  EXPECT_EQ(states_after(0, true), states_after(0, false));
}

TEST(RacePutInOnPurpose, IsFoundInAFewSeedsAndRepeatsOnOnePe) {
  const States right = states_after(0, false);
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const States states = states_after(seed, true);
    EXPECT_EQ(states_after(seed, true), states) << seed;
    found += states != right;
  }
  EXPECT_GE(found, 2);
}

TEST(RacePutInOnPurpose, IsGoneWhenStepsAreToldApart) {
  const States right = states_after(0, false);
  for (std::uint64_t seed = 1; seed <= 40; ++seed)
    for (const int pes : {1, 2, 3}) EXPECT_EQ(states_after(seed, false, pes), right) << seed;
}

class InAnyOrder : public testing::TestWithParam<int> {};

/// Cells that multicast, reduce and await; wrong values and lost messages are errors there.
TEST_P(InAnyOrder, CellsFindTheSame) {
  const test::CellResults right = test::run_cells({.pes = 1, .pin = false}, 20, 30, 3, false);
  for (std::uint64_t seed = 1; seed <= 10; ++seed)
    EXPECT_EQ(
        test::run_cells({.pes = GetParam(), .pin = false, .delivery_seed = seed}, 20, 30, 3, true),
        right)
        << "delivery seed " << seed;
}

/// Counts what it gets, and tells one more object of each message that may still be passed on.
class Relay : public Chare<Relay, 1> {
 public:
  void pass(std::int64_t left) {
    ++got;
    if (left > 0)
      array().at_ordinal((ordinal() * 7 + 3) % array().size()).send<&Relay::pass>(left - 1);
  }
  void all_quiet() { quiet_after = got; }
  std::int64_t got = 0, quiet_after = -1;
};

TEST_P(InAnyOrder, NothingIsQuietWhileMessagesAreHeldBack) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Runtime runtime({.pes = GetParam(), .pin = false, .delivery_seed = seed});
    const auto relays = runtime.create_array<Relay>(
        {13}, [&](const auto& index) { return index[0] % runtime.pes(); });
    for (int i = 0; i < 13; ++i) relays.at_ordinal(i).send<&Relay::pass>(40);
    runtime.notify_when_quiet<&Relay::all_quiet>(relays.at_ordinal(5));
    runtime.run_until_quiescent();
    std::int64_t got = 0;
    for (int i = 0; i < 13; ++i) got += relays.object_at(i).got;
    EXPECT_EQ(got, 13 * 41) << seed;
    EXPECT_EQ(relays.object_at(5).quiet_after, relays.object_at(5).got) << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Pes, InAnyOrder, all_pes(), pes_name);

}  // namespace
}  // namespace fg
