// SPDX-License-Identifier: BSD-3-Clause
//
// A state is kept in memory only when the last one is complete and a run can continue from it.
#include "processes/memory_turns.hpp"

#include <gtest/gtest.h>

namespace fg {
namespace {

TEST(MemoryTurns, WithoutAnIntervalNoneIsKept) {
  MemoryTurns turns;
  turns.begin(0);
  EXPECT_FALSE(turns.due(1000, 1000));
}

TEST(MemoryTurns, TheIntervalCountsFromTheFirstStepAndThenFromTheLastState) {
  MemoryTurns turns(10, 0);
  turns.begin(100);
  EXPECT_FALSE(turns.due(109, 109));
  EXPECT_TRUE(turns.due(110, 110));
  turns.start(113);
  EXPECT_FALSE(turns.due(122, 122));
  EXPECT_TRUE(turns.due(123, 123));
}

TEST(MemoryTurns, AllCopiesOfTheLastStateAreThereBeforeTheNext) {
  MemoryTurns turns(10, 2);
  turns.begin(0);
  turns.start(10);
  EXPECT_FALSE(turns.due(20, 20));
  turns.kept(10);
  turns.kept(0);  // of another state
  EXPECT_FALSE(turns.due(20, 20));
  turns.kept(10);
  EXPECT_TRUE(turns.due(20, 20));
}

TEST(MemoryTurns, ResultsReachTheLastStateBeforeTheNext) {
  MemoryTurns turns(10, 0);
  turns.begin(0);
  turns.start(10);
  EXPECT_FALSE(turns.due(20, 9));
  EXPECT_TRUE(turns.due(20, 10));
}

TEST(MemoryTurns, AFailureEndsThemAndCountsOnce) {
  MemoryTurns turns(10, 0);
  turns.begin(0);
  EXPECT_TRUE(turns.fail());
  EXPECT_FALSE(turns.fail());
  EXPECT_FALSE(turns.due(10, 10));
}

TEST(MemoryTurns, AStartIsToldOnce) {
  MemoryTurns turns(10, 0);
  turns.begin(0);
  EXPECT_FALSE(turns.take_started());
  turns.start(10);
  EXPECT_TRUE(turns.take_started());
  EXPECT_FALSE(turns.take_started());
}

}  // namespace
}  // namespace fg
