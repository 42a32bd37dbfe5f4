// SPDX-License-Identifier: BSD-3-Clause
//
// The protocol of sleeping and waking, without a spin phase that would hide a lost wake-up. A lost
// wake-up would hang; the test's time limit would end it.
#include <gtest/gtest.h>

#include <thread>

#include "runtime/threads/idle.hpp"
#include "transport/ticket_queue.hpp"

namespace fg {
namespace {

TEST(SleepFlag, NoWakeUpIsLost) {
  constexpr int rounds = 20000;
  TicketQueue<int> to(4, 1), back(4, 1);
  SleepFlag sleeper, waker;
  const auto receive = [](TicketQueue<int>& queue, SleepFlag& flag) {
    int got = -1;
    while (queue.drain(1, [&](int item) { got = item; }) == 0) {
      flag.announce();
      if (queue.may_hold_items()) {
        flag.withdraw();
      } else {
        flag.sleep();
      }
    }
    return got;
  };
  std::jthread other([&] {
    for (int i = 0; i < rounds; ++i) {
      EXPECT_EQ(receive(to, sleeper), i);
      back.push(i);
      waker.wake();
    }
  });
  for (int i = 0; i < rounds; ++i) {
    to.push(i);
    sleeper.wake();
    EXPECT_EQ(receive(back, waker), i);
  }
}

}  // namespace
}  // namespace fg
