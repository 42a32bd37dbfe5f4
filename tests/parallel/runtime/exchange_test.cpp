// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "exchange_cases.hpp"
#include "pes.hpp"

namespace fg::test {
namespace {

class Exchanges : public ::testing::TestWithParam<int> {};

TEST_P(Exchanges, TransposeRoundAfterRound) {
  Transposer alone({.pes = 1}, 13, 200), here({.pes = GetParam()}, 13, 200);
  alone.run();
  here.run();
  EXPECT_EQ(here.digests(), alone.digests());
}

TEST_P(Exchanges, ContinueAfterTheirEndsHaveMoved) {
  Transposer alone({.pes = 1}, 9, 90), here({.pes = GetParam()}, 9, 30);
  alone.run();
  here.run();
  for (const std::uint64_t seed : {1, 2}) {
    here.scatter(seed);
    if (here.runtime.process() == 0) here.rows.broadcast<&Row::prolong>(std::int64_t{30});
    here.runtime.run_until_quiescent();
  }
  EXPECT_EQ(here.digests(), alone.digests());
}

INSTANTIATE_TEST_SUITE_P(All, Exchanges, all_pes(), pes_name);

TEST(Exchange, ASourceTwoRoundsAheadIsADefect) {
  Transposer here({.pes = 1}, 3, 1);
  const auto& row = here.rows.object_at(0);
  for (int source = 0; source < 3; ++source)
    here.there.sent(here.rows.object_at(source), 0, 0);  // the first column now has all of round 0
  here.there.place<std::int64_t>(row, 0, 1);
  EXPECT_THROW(here.there.place<std::int64_t>(row, 0, 2), InternalError);
}

}  // namespace
}  // namespace fg::test
