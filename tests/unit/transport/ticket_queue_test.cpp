// SPDX-License-Identifier: BSD-3-Clause
#include "transport/ticket_queue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <tuple>
#include <vector>

namespace fg {
namespace {

struct Item {
  int producer;
  int number;
};

TEST(TicketQueue, OneThreadOverfillsAndDrains) {
  TicketQueue<int> queue(8, 1);
  EXPECT_FALSE(queue.may_hold_items());
  for (int round = 0; round < 5; ++round) {
    for (int i = 0; i < 100; ++i) queue.push(i);
    EXPECT_TRUE(queue.ready());
    EXPECT_TRUE(queue.may_hold_items());
    std::vector<int> seen;
    while (queue.drain(7, [&](int item) { seen.push_back(item); }) != 0) {
    }
    std::sort(seen.begin(), seen.end());
    ASSERT_EQ(seen.size(), 100u);
    for (int i = 0; i < 100; ++i) EXPECT_EQ(seen[static_cast<std::size_t>(i)], i);
    EXPECT_FALSE(queue.ready());
    EXPECT_FALSE(queue.may_hold_items());
  }
}

// Every item arrives once, for any ring size, length of the burst and number of producers.
class Burst : public testing::TestWithParam<std::tuple<int, int>> {};

TEST_P(Burst, EveryItemArrivesOnce) {
  const auto [capacity, producers] = GetParam();
  constexpr int each = 20000;
  TicketQueue<Item> queue(static_cast<std::size_t>(capacity), static_cast<std::size_t>(producers));
  std::vector<std::vector<std::uint8_t>> seen(static_cast<std::size_t>(producers),
                                              std::vector<std::uint8_t>(each, 0));
  std::vector<std::jthread> threads;
  for (int p = 0; p < producers; ++p)
    threads.emplace_back([&queue, p] {
      for (int i = 0; i < each; ++i) {
        if (i % 1000 == 999) {
          queue.push_overflow({p, i});  // as a thread that is not a producer does it
        } else {
          queue.push({p, i});
        }
      }
    });
  for (int left = producers * each; left > 0;) {
    const std::size_t taken = queue.drain(64, [&](const Item& item) {
      ++seen[static_cast<std::size_t>(item.producer)][static_cast<std::size_t>(item.number)];
    });
    left -= static_cast<int>(taken);
    if (taken == 0) std::this_thread::yield();
  }
  threads.clear();
  EXPECT_FALSE(queue.may_hold_items());
  for (const auto& one : seen)
    EXPECT_TRUE(std::all_of(one.begin(), one.end(), [](std::uint8_t n) { return n == 1; }));
}

INSTANTIATE_TEST_SUITE_P(CapacityAndProducers, Burst,
                         testing::Combine(testing::Values(1, 16, 1024), testing::Values(1, 3, 8)));

}  // namespace
}  // namespace fg
