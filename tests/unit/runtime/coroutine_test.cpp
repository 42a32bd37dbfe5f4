// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/runtime.hpp"

namespace fg {
namespace {

class Walker : public Chare<Walker, 1> {
 public:
  void left(std::int64_t value) { log.push_back("left " + std::to_string(value)); }
  void right(std::int64_t value) { log.push_back("right " + std::to_string(value)); }

  Task in_order() {
    for (std::int64_t step = 0; step < 3; ++step) {
      co_await when<&Walker::left>(step, 2);
      log.push_back("step " + std::to_string(step));
    }
  }
  Task both() {
    co_await all_of(expect<&Walker::left>(5), expect<&Walker::right>(5, 2));
    log.push_back("done");
  }
  Task nothing_to_wait_for() {
    co_await when<&Walker::left>(0, 0);
    co_await all_of(expect<&Walker::left>(0, 0), expect<&Walker::right>(0, 0));
    log.push_back("done");
  }

  Task leaf(std::int64_t step) {
    co_await when<&Walker::right>(step);
    log.push_back("leaf " + std::to_string(step));
  }
  Task branch(std::int64_t step) {
    co_await leaf(step);
    co_await at_sync();
    co_await leaf(step + 1);
  }
  Task nested() {
    for (std::int64_t step = 0; step < 6; step += 2) co_await branch(step);
    log.push_back("done");
  }

  Task fails_inside() {
    co_await when<&Walker::left>(0);
    throw NumericsError({.what = "diverged"});
  }
  Task catches() {
    try {
      co_await fails_inside();
    } catch (const NumericsError& error) {
      log.push_back(error.parts().what);
    }
  }

  std::vector<std::string> log;
};

struct OneWalker {
  Runtime rt{{.pes = 1, .pin = false}};
  Array<Walker> array = rt.create_array<Walker>({1}, [](const auto&) { return 0; });
  Element<Walker> walker = array[{0}];
  std::vector<std::string>& log = array.object({0}).log;
};
using Log = std::vector<std::string>;

TEST(Coroutine, GetsEarlyMessagesWhenItAwaitsThem) {
  OneWalker one;
  for (std::int64_t step : {2, 0, 1, 2, 1, 0}) one.walker.send_at<&Walker::left>(step, step);
  one.walker.send<&Walker::in_order>(Lane::low);
  one.rt.run_until_quiescent();
  EXPECT_EQ(one.log, (Log{"left 0", "left 0", "step 0", "left 1", "left 1", "step 1", "left 2",
                          "left 2", "step 2"}));
  EXPECT_TRUE(one.array.object({0}).mailbox().empty());
}

TEST(Coroutine, ResumesAsSoonAsTheLastMessageArrives) {
  OneWalker one;
  one.walker.send<&Walker::in_order>(Lane::urgent);
  for (std::int64_t step : {0, 1, 0, 1, 2, 2}) one.walker.send_at<&Walker::left>(step, step);
  one.rt.run_until_quiescent();
  EXPECT_EQ(one.log, (Log{"left 0", "left 0", "step 0", "left 1", "left 1", "step 1", "left 2",
                          "left 2", "step 2"}));
}

TEST(Coroutine, PlainMessagesAreNotHeldBack) {
  OneWalker one;
  one.walker.send<&Walker::in_order>(Lane::urgent);
  one.walker.send<&Walker::left>(77);
  one.walker.send_at<&Walker::left>(1, 1);
  one.rt.run_until_quiescent();
  EXPECT_EQ(one.log, (Log{"left 77"}));
  EXPECT_EQ(one.array.object({0}).mailbox().size(), 1u);
}

TEST(Coroutine, AwaitsSeveralEntriesInAnyOrder) {
  OneWalker one;
  one.walker.send_at<&Walker::right>(5, 1);
  one.walker.send<&Walker::both>();
  one.walker.send_at<&Walker::right>(6, 9);
  one.walker.send_at<&Walker::left>(5, 2);
  one.walker.send_at<&Walker::right>(5, 3);
  one.rt.run_until_quiescent();
  EXPECT_EQ(one.log, (Log{"right 1", "left 2", "right 3", "done"}));
  EXPECT_EQ(one.array.object({0}).mailbox().size(), 1u);
}

TEST(Coroutine, DoesNotWaitIfItAwaitsNothing) {
  OneWalker one;
  one.walker.send<&Walker::nothing_to_wait_for>();
  one.rt.run_until_quiescent();
  EXPECT_EQ(one.log, (Log{"done"}));
}

TEST(Coroutine, AwaitsPartsOfItself) {
  OneWalker one;
  one.walker.send<&Walker::nested>();
  for (std::int64_t step = 5; step >= 0; --step) one.walker.send_at<&Walker::right>(step, step);
  one.rt.run_until_quiescent();
  ASSERT_EQ(one.log.size(), 13u);
  EXPECT_EQ(one.log.front(), "right 0");
  EXPECT_EQ(one.log.back(), "done");
}

TEST(Coroutine, PassesExceptionsToItsAwaiter) {
  OneWalker one;
  one.walker.send<&Walker::catches>();
  one.walker.send_at<&Walker::left>(0, 0);
  one.rt.run_until_quiescent();
  EXPECT_EQ(one.log, (Log{"left 0", "diverged"}));
}

TEST(Coroutine, AnExceptionInALifeEndsTheRun) {
  OneWalker one;
  one.walker.send<&Walker::fails_inside>();
  one.walker.send_at<&Walker::left>(0, 0);
  EXPECT_THROW(one.rt.run(), NumericsError);
}

TEST(Coroutine, ASecondLifeIsRefused) {
  OneWalker one;
  one.walker.send<&Walker::both>();
  one.walker.send<&Walker::in_order>();
  EXPECT_THROW(one.rt.run(), InternalError);
}

TEST(Coroutine, OneLifeMayFollowAnother) {
  OneWalker one;
  one.walker.send<&Walker::nothing_to_wait_for>();
  one.walker.send<&Walker::nothing_to_wait_for>();
  one.rt.run_until_quiescent();
  EXPECT_EQ(one.log, (Log{"done", "done"}));
}

TEST(Coroutine, ADeadlockNamesWhoWaitsForWhat) {
  OneWalker one;
  one.walker.send<&Walker::both>();
  one.walker.send_at<&Walker::right>(5, 1);
  one.walker.send_at<&Walker::left>(4, 1);
  try {
    one.rt.run();
    FAIL();
  } catch (const InternalError& error) {
    const std::string& where = error.parts().where;
    EXPECT_NE(where.find("Walker[0] awaits"), std::string::npos) << where;
    EXPECT_NE(where.find("left at step 5 (1 missing)"), std::string::npos) << where;
    EXPECT_NE(where.find("right at step 5 (1 missing)"), std::string::npos) << where;
    EXPECT_NE(where.find("keeps 1 messages"), std::string::npos) << where;
  }
}

}  // namespace
}  // namespace fg
