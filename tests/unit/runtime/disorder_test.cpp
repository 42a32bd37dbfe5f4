// SPDX-License-Identifier: BSD-3-Clause
//
// The queue that hands out messages in random orders.
#include "runtime/disorder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <vector>

#include "base/error.hpp"
#include "runtime/runtime.hpp"
#include "support/expect_refused.hpp"

namespace fg {
namespace {

class Target : public Chare<Target, 1> {
 public:
  void accept(int) {}
};

using Order = std::vector<std::uint64_t>;

/// A hundred messages in two lanes, and a hundred more while they are handed out.
struct Queue {
  Queue() : targets(runtime.create_array<Target>({7}, [](const auto&) { return 0; })) {}

  Envelope numbered(std::uint64_t n) const {
    return {targets.at_ordinal(static_cast<int>(n % 7)).location(), &EntryOf<&Target::accept>::info,
            no_step, n};
  }
  void push(Lanes& lanes, std::uint64_t n) const {
    lanes.push(n % 2 ? Lane::urgent : Lane::low, numbered(n));
  }
  Order order(std::uint64_t seed) const {
    Lanes lanes;
    Disorder disorder(lanes, seed, true);
    for (std::uint64_t n = 0; n < 100; ++n) push(lanes, n);
    Order order;
    while (disorder.ready()) {
      order.push_back(disorder.pop().payload);
      if (order.size() <= 100) push(lanes, 99 + order.size());
    }
    EXPECT_TRUE(disorder.empty());
    return order;
  }

  Runtime runtime;
  Array<Target> targets;
};

TEST(Disorder, HandsOutEveryMessageOnce) {
  Queue queue;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Order order = queue.order(seed);
    ASSERT_EQ(order.size(), 200u);
    std::sort(order.begin(), order.end());
    for (std::uint64_t n = 0; n < 200; ++n) ASSERT_EQ(order[n], n);
  }
}

TEST(Disorder, GivesEachSeedAnOrderOfItsOwnAndTheSameAgain) {
  Queue queue;
  std::set<Order> orders;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const Order order = queue.order(seed);
    EXPECT_EQ(queue.order(seed), order) << seed;
    orders.insert(order);
  }
  EXPECT_EQ(orders.size(), 50u);
}

/// The first of 200 messages comes last in some order, and a message of the low lane comes before
/// all of the urgent lane.
TEST(Disorder, LanesAndAgesDoNotMatter) {
  Queue queue;
  std::size_t latest = 0;
  bool low_first = false;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const Order order = queue.order(seed);
    latest = std::max(latest, static_cast<std::size_t>(std::find(order.begin(), order.end(), 0u) -
                                                       order.begin()));
    low_first |= order.front() % 2 == 0;
  }
  EXPECT_GT(latest, 150u);
  EXPECT_TRUE(low_first);
}

TEST(Disorder, PutsBackWhatItHolds) {
  Queue queue;
  Lanes lanes;
  std::set<std::uint64_t> seen;
  {
    Disorder disorder(lanes, 3, true);
    for (std::uint64_t n = 0; n < 10; ++n) queue.push(lanes, n);
    for (int i = 0; i < 4; ++i) {
      ASSERT_TRUE(disorder.ready());
      seen.insert(disorder.pop().payload);
    }
  }
  while (!lanes.empty()) seen.insert(lanes.pop().payload);
  EXPECT_EQ(seen.size(), 10u);
}

TEST(Disorder, ASeedThatIsNoNumberIsRefused) {
  for (const char* text : {"", "0", "-1", "two", "5x", "99999999999999999999999"}) {
    ASSERT_EQ(setenv(delivery_seed_variable, text, 1), 0);
    test::expect_refused<InputError>([] { Runtime(); }, delivery_seed_variable);
  }
  ASSERT_EQ(setenv(delivery_seed_variable, "12", 1), 0);
  EXPECT_EQ(Runtime().delivery_seed(), 12u);
  EXPECT_EQ(Runtime({.delivery_seed = 5}).delivery_seed(), 5u);
  ASSERT_EQ(unsetenv(delivery_seed_variable), 0);
  EXPECT_EQ(Runtime().delivery_seed(), 0u);
}

}  // namespace
}  // namespace fg
