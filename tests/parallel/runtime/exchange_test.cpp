// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "exchange_cases.hpp"
#include "pes.hpp"

namespace fg::test {
namespace {

class Exchanges : public ::testing::TestWithParam<int> {};

TEST_P(Exchanges, TransposeRoundAfterRound) {
  for (const TransposeHow& how : transposes) {
    SCOPED_TRACE("window " + std::to_string(how.window));
    Transposer alone({.pes = 1}, 13, 100, {.window = 1, .strands = how.strands});
    Transposer here({.pes = GetParam()}, 13, 100, how);
    alone.run();
    here.run();
    const auto digests = here.digests();
    EXPECT_EQ(digests, alone.digests());
    for (int i = 0; i < here.rows.size(); ++i)
      EXPECT_EQ(digests[static_cast<std::size_t>(2 * i)], 100 + i % how.strands);
  }
}

TEST_P(Exchanges, ContinueAfterTheirEndsHaveMoved) {
  for (const TransposeHow& how : transposes) {
    SCOPED_TRACE("window " + std::to_string(how.window));
    Transposer alone({.pes = 1}, 9, 60, {.window = 1, .strands = how.strands});
    Transposer here({.pes = GetParam()}, 9, 20, how);
    alone.run();
    here.run();
    for (const std::uint64_t seed : {1, 2}) {
      here.scatter(seed);
      here.prolong(20);
    }
    EXPECT_EQ(here.digests(), alone.digests());
  }
}

INSTANTIATE_TEST_SUITE_P(All, Exchanges, all_pes(), pes_name);

TEST(Exchange, ASourceAheadOfTheWindowIsADefect) {
  for (const int window : {1, 2, 3, 4}) {
    Transposer here({.pes = 1}, 3, 1, {.window = window});
    const auto& row = here.rows.object_at(0);
    for (int source = 0; source < 3; ++source)
      here.there.sent(here.rows.object_at(source), 0, 0);  // the first column has all of round 0
    for (int round = 1; round < window; ++round) here.there.place<std::int64_t>(row, 0, round);
    EXPECT_THROW(here.there.place<std::int64_t>(row, 0, window), InternalError);
  }
}

TEST(Exchange, RefusesSettingsBelowOneAndLinksToAnotherStrand) {
  Runtime runtime({.pes = 1});
  const auto columns = runtime.create_array<Column>({2, 2}, [](const auto&) { return 0; });
  const auto rows = runtime.create_array<Row>(
      {2, 2}, [](const auto&) { return 0; },
      [](const auto&) { return std::make_unique<Row>(1, 1); });
  const auto make = [&](const ExchangeSettings& settings) {
    Exchange<Row, Column>::make<&Column::forth>(
        rows, columns,
        [](const auto& row) {
          return std::vector<ExchangeCore::Link>{
              {.target = (row[0] * 2 + row[1] + 1) % 4, .bytes = 8}};
        },
        settings);
  };
  make({});
  EXPECT_THROW(make({.window = 0}), InternalError);
  EXPECT_THROW(make({.strands = 0}), InternalError);
  EXPECT_THROW(make({.parcel_bytes = 0}), InternalError);
  EXPECT_THROW(make({.strands = 2}), InternalError);
}

}  // namespace
}  // namespace fg::test
