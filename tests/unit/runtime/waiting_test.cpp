// SPDX-License-Identifier: BSD-3-Clause
//
// Lives that wait for whichever comes first, and parts of a life that go on together.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/runtime.hpp"

namespace fg {
namespace {

using Log = std::vector<std::string>;

class Waiter : public Chare<Waiter, 1> {
 public:
  void left(std::int64_t value) { note("left", value); }
  void right(std::int64_t value) { note("right", value); }

  Task first_of_two() {
    const std::size_t first =
        co_await any_of(expect<&Waiter::left>(0, 2), expect<&Waiter::right>(0));
    note("first", static_cast<std::int64_t>(first));
    if (first == 1) co_await when<&Waiter::left>(0, 2);
    if (first == 0) co_await when<&Waiter::right>(0);
    note("end", 0);
  }
  Task until_right() {
    for (std::int64_t step = 0;; ++step) {
      const std::size_t first =
          co_await any_of(expect<&Waiter::right>(-1), expect<&Waiter::left>(step));
      if (first == 0) break;
    }
    note("end", 0);
  }

  Task await_left(std::int64_t step) {
    co_await when<&Waiter::left>(step);
    note("after left", step);
  }
  Task await_right(std::int64_t step) {
    co_await when<&Waiter::right>(step);
    co_await await_left(step + 100);
    note("after right", step);
  }
  Task at_once() {
    note("at once", 0);
    co_return;
  }
  Task fail_after_right() {
    co_await when<&Waiter::right>(0);
    throw NumericsError({.what = "diverged"});
  }

  Task both() {
    for (std::int64_t step = 0; step < 2; ++step) {
      Task a = await_left(step), b = await_right(step), c = at_once(), none;
      co_await together(a, b, c, none);
      note("both", step);
      co_await together(a, b);  // they have ended
    }
  }
  Task same_entry() {
    Task a = await_left(0), b = await_left(0);
    co_await together(a, b);
    note("both", 0);
  }
  Task one_fails() {
    try {
      Task a = await_left(0), b = fail_after_right();
      co_await together(a, b);
    } catch (const NumericsError& error) {
      log.emplace_back(error.parts().what);
    }
    co_await when<&Waiter::left>(0);  // the part that awaited it is no more
    note("end", 0);
  }
  Task kept_after_failure() {
    Task a = await_left(0), b = fail_after_right();
    try {
      co_await together(a, b);
    } catch (const NumericsError& error) {
      log.emplace_back(error.parts().what);
    }
    co_await a;
    note("end", 0);
  }
  Task races() {
    Task a = await_left(0), b = first_of_two();
    co_await together(a, b);
  }

  Log log;

 private:
  void note(const char* what, std::int64_t value) {
    log.push_back(std::string(what) + " " + std::to_string(value));
  }
};

struct OneWaiter {
  Runtime rt{{.pes = 1, .pin = false}};
  Array<Waiter> array = rt.create_array<Waiter>({1}, [](const auto&) { return 0; });
  Element<Waiter> waiter = array[{0}];
  Log& log = array.object({0}).log;
};

TEST(AnyOf, TakesWhatIsCompleteFirstAndLeavesTheRest) {
  OneWaiter one;
  one.waiter.send<&Waiter::first_of_two>();
  one.waiter.send_at<&Waiter::left>(0, 1);  // half of the first alternative
  one.waiter.send_at<&Waiter::right>(0, 2);
  one.waiter.send_at<&Waiter::left>(0, 3);
  one.rt.run_until_quiescent();
  EXPECT_EQ(one.log, (Log{"right 2", "first 1", "left 1", "left 3", "end 0"}));
}

TEST(AnyOf, TakesTheFirstAlternativeIfSeveralAreThere) {
  OneWaiter one;
  one.waiter.send_at<&Waiter::right>(0, 2);
  one.waiter.send_at<&Waiter::left>(0, 1);
  one.waiter.send_at<&Waiter::left>(0, 3);
  one.waiter.send<&Waiter::first_of_two>(Lane::low);
  one.rt.run_until_quiescent();
  EXPECT_EQ(one.log, (Log{"left 1", "left 3", "first 0", "right 2", "end 0"}));
}

TEST(AnyOf, EndsALoopByAMessageOfItsOwn) {
  OneWaiter one;
  one.waiter.send<&Waiter::until_right>();
  for (std::int64_t step = 0; step < 3; ++step) one.waiter.send_at<&Waiter::left>(step, step);
  one.waiter.send_at<&Waiter::right>(-1, 7);
  one.rt.run_until_quiescent();
  EXPECT_EQ(one.log, (Log{"left 0", "left 1", "left 2", "right 7", "end 0"}));
  EXPECT_TRUE(one.array.object({0}).mailbox().empty());
}

TEST(AnyOf, NamesItsAlternativesInADeadlock) {
  OneWaiter one;
  one.waiter.send<&Waiter::first_of_two>();
  one.waiter.send_at<&Waiter::left>(0, 1);
  try {
    one.rt.run();
    FAIL() << "no error";
  } catch (const InternalError& error) {
    EXPECT_NE(error.parts().where.find("left at step 0 (2 wanted) or "), std::string::npos)
        << error.what();
    EXPECT_NE(error.parts().where.find("right at step 0 (1 wanted)"), std::string::npos);
  }
}

TEST(Together, AwaitsTheEndsOfAllParts) {
  OneWaiter one;
  one.waiter.send<&Waiter::both>();
  one.waiter.send_at<&Waiter::left>(100, 100);  // before its part awaits it
  one.waiter.send_at<&Waiter::right>(0, 0);
  one.waiter.send_at<&Waiter::left>(0, 0);
  one.waiter.send_at<&Waiter::left>(1, 1);
  one.waiter.send_at<&Waiter::right>(1, 1);
  one.waiter.send_at<&Waiter::left>(101, 101);
  one.rt.run_until_quiescent();
  EXPECT_EQ(one.log, (Log{"at once 0", "right 0", "left 100", "after left 100", "after right 0",
                          "left 0", "after left 0", "both 0", "at once 0", "left 1", "after left 1",
                          "right 1", "left 101", "after left 101", "after right 1", "both 1"}));
}

TEST(Together, GivesAMessageToThePartThatHasWaitedLongest) {
  OneWaiter one;
  one.waiter.send<&Waiter::same_entry>();
  one.waiter.send_at<&Waiter::left>(0, 1);
  one.waiter.send_at<&Waiter::left>(0, 2);
  one.rt.run_until_quiescent();
  EXPECT_EQ(one.log, (Log{"left 1", "after left 0", "left 2", "after left 0", "both 0"}));
}

TEST(Together, ThrowsAtTheFirstErrorAndEndsTheOtherParts) {
  OneWaiter one;
  one.waiter.send<&Waiter::one_fails>();
  one.waiter.send_at<&Waiter::right>(0, 1);
  one.waiter.send_at<&Waiter::left>(0, 2);
  one.rt.run_until_quiescent();
  EXPECT_EQ(one.log, (Log{"right 1", "diverged", "left 2", "end 0"}));
}

TEST(Together, LeavesAPartThatIsKeptGoing) {
  OneWaiter one;
  one.waiter.send<&Waiter::kept_after_failure>();
  one.waiter.send_at<&Waiter::right>(0, 1);
  one.waiter.send_at<&Waiter::left>(0, 2);
  one.rt.run_until_quiescent();
  EXPECT_EQ(one.log, (Log{"right 1", "diverged", "left 2", "after left 0", "end 0"}));
}

TEST(Together, NamesWhatEachPartAwaitsInADeadlock) {
  OneWaiter one;
  one.waiter.send<&Waiter::both>();
  try {
    one.rt.run();
    FAIL() << "no error";
  } catch (const InternalError& error) {
    EXPECT_NE(error.parts().where.find("left at step 0 (1 missing), "), std::string::npos)
        << error.what();
    EXPECT_NE(error.parts().where.find("right at step 0 (1 missing)"), std::string::npos);
  }
}

TEST(Together, PartsMayRaceForMessages) {
  OneWaiter one;
  one.waiter.send<&Waiter::races>();
  one.waiter.send_at<&Waiter::left>(0, 1);   // to the part that waited first
  one.waiter.send_at<&Waiter::right>(0, 2);  // completes the other one's second alternative
  one.waiter.send_at<&Waiter::left>(0, 3);
  one.waiter.send_at<&Waiter::left>(0, 4);
  one.rt.run_until_quiescent();
  EXPECT_EQ(one.log,
            (Log{"left 1", "after left 0", "right 2", "first 1", "left 3", "left 4", "end 0"}));
}

TEST(Together, ALifeThatIsDroppedWhileItsPartsWaitLeavesNothingBehind) {
  Runtime rt({.pes = 1, .pin = false, .deadlock_is_error = false});
  const auto array = rt.create_array<Waiter>({3}, [](const auto&) { return 0; });
  for (int i = 0; i < 3; ++i) array[{i}].send<&Waiter::both>();
  array[{0}].send_at<&Waiter::left>(0, 0);
  rt.run_until_quiescent();
  EXPECT_EQ(array.object({0}).log, (Log{"at once 0", "left 0", "after left 0"}));
}

}  // namespace
}  // namespace fg
