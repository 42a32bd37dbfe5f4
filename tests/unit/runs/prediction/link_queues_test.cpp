// SPDX-License-Identifier: BSD-3-Clause
//
// Arrivals that can be followed by hand.
#include "runs/prediction/link_queues.hpp"

#include <gtest/gtest.h>

#include "support/small_machines.hpp"

namespace fg::test {
namespace {

constexpr std::int64_t ns = 1000;  // [ps]

TEST(LinkQueues, AMessageTakesItsLatenciesAndItsBytesOnTheSlowestLink) {
  const auto machine = ring(8);
  LinkQueues links(*machine);
  // 50 ns at both ends, two hops of 100 ns, 1000 bytes of 1 ns
  EXPECT_EQ(links.arrival(0, 2, 1000, 0), (2 * 50 + 2 * 100 + 1000) * ns);
}

TEST(LinkQueues, AMessageOnALinkWaitsForThatBeforeIt) {
  const auto machine = ring(8);
  LinkQueues links(*machine);
  const auto first = links.arrival(0, 2, 1000, 0);
  EXPECT_EQ(links.arrival(0, 2, 1000, 0), first + 1000 * ns);
  // From node 1 it shares the second link only, which is free 1000 bytes after both have passed.
  EXPECT_EQ(links.arrival(1, 2, 1000, 0), first + 2000 * ns);
  EXPECT_EQ(links.arrival(4, 5, 1000, 0), (2 * 50 + 100 + 1000) * ns);  // other links are free
}

TEST(LinkQueues, NothingIsOnTheWayInsideANode) {
  const auto machine = ring(8);
  LinkQueues links(*machine);
  EXPECT_EQ(links.arrival(3, 3, 1000, 17), 17);
}

TEST(LinkQueues, LinksAreBusyForTheBytesThatTheyCarry) {
  const auto machine = ring(8);
  LinkQueues links(*machine);
  links.arrival(0, 1, 1000, 0);
  links.start_counting();
  links.arrival(0, 1, 300, 0);
  links.arrival(0, 1, 200, 0);
  std::int64_t sum = 0, most = 0;
  for (const std::int64_t busy : links.busy()) {
    sum += busy;
    most = std::max(most, busy);
  }
  EXPECT_EQ(most, 500 * ns);             // the link
  EXPECT_EQ(sum, (500 + 500 / 2) * ns);  // and the entry of node 0
}

TEST(LinkQueues, MessagesToDifferentNodesTakeDifferentWaysUp) {
  const auto machine = tree();
  LinkQueues links(*machine);
  // Out of the node 500 ps a byte; up and down 1 ns; four links.
  const std::int64_t alone = (50 + 100 + 100 + 50 + 1000) * ns;
  EXPECT_EQ(links.arrival(0, 2, 1000, 0), alone);
  EXPECT_EQ(links.arrival(1, 3, 1000, 0), alone);
  EXPECT_EQ(links.arrival(1, 2, 1000, 0), alone + 1000 * ns);
}

}  // namespace
}  // namespace fg::test
