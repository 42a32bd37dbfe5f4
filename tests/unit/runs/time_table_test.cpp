// SPDX-License-Identifier: BSD-3-Clause
//
// The figures of a run that follow from the times of its PEs, for times that are made up.
#include "runs/time_table.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace fg {
namespace {

Profile profile_of(std::initializer_list<Profile::PerPe> pes) {
  Profile profile;
  profile.pes = pes;
  return profile;
}

TEST(LoadImbalance, IsTheBusiestPeOverTheAverage) {
  // 3 + 1 + 2 s on three PEs: 2 s on average, whatever else they spent their time on.
  const Profile profile =
      profile_of({{.busy = 3}, {.busy = 1, .idle = 2}, {.busy = 2, .idle = 0.5, .sending = 0.5}});
  EXPECT_DOUBLE_EQ(load_imbalance(profile), 1.5);
  EXPECT_DOUBLE_EQ(load_imbalance(profile_of({{.busy = 0.25}})), 1);
  EXPECT_DOUBLE_EQ(load_imbalance(profile_of({{.busy = 1}, {.busy = 1}})), 1);
  EXPECT_DOUBLE_EQ(load_imbalance(profile_of({{.busy = 4}, {}, {}, {}})), 4);  // one does all
}

TEST(LoadImbalance, IsNotMeasuredWithoutBusyTime) {
  EXPECT_TRUE(std::isnan(load_imbalance(Profile{})));
  EXPECT_TRUE(std::isnan(load_imbalance(profile_of({{.idle = 1}, {.idle = 1}}))));
}

TEST(Shares, OfIdleTimeAndOverhead) {
  const Profile profile = profile_of(
      {{.busy = 6, .idle = 1, .scheduling = 0.5, .sending = 0.5}, {.busy = 5, .idle = 3}});
  EXPECT_DOUBLE_EQ(idle_share(profile), 4.0 / 16);
  EXPECT_DOUBLE_EQ(overhead_share(profile), 1.0 / 12);
  EXPECT_EQ(overhead_share(Profile{}), 0);
}

TEST(TimeTable, AddsUpEntriesOfOneName) {
  Profile profile = profile_of({{.busy = 3, .idle = 1, .processed = 7}});
  profile.entries = {{.name = "a::one", .count = 2, .seconds = 1},
                     {.name = "b::two", .count = 3, .seconds = 1.5},
                     {.name = "a::three", .count = 2, .seconds = 0.5}};
  const EntryWording wordings[] = {{.part = "a::", .name = "first"}};
  const auto table = time_table(profile, wordings);
  ASSERT_EQ(table.size(), 5u);  // with scheduling, sending and idle time
  for (const auto& row : {table[0], table[1]}) {
    EXPECT_EQ(row.seconds, 1.5);
    EXPECT_EQ(row.calls, row.name == "first" ? 4 : 3);
    EXPECT_DOUBLE_EQ(row.share, 1.5 / 4);
  }
  EXPECT_EQ(table.back().name, "idle");
  EXPECT_DOUBLE_EQ(table.back().share, 0.25);
}

}  // namespace
}  // namespace fg
