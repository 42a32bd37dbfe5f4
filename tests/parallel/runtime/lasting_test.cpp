// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "lasting_cases.hpp"
#include "pes.hpp"

namespace fg::test {
namespace {

class Lasting : public ::testing::TestWithParam<int> {};

TEST_P(Lasting, ArraysComeAndGoBetweenRuns) {
  Runtime runtime({.pes = GetParam(), .trace = 16});
  const auto host = runtime.create_array<Tied>({4, 1}, [](const auto&) { return 0; });
  for (int stay = 0; stay < 20; ++stay) {
    receive_guests(runtime, stay);
    EXPECT_EQ(Guest::present, 0);
    EXPECT_EQ(runtime.arrays().size(), 2u);  // the place of freed guests is used again
    host.broadcast<&Tied::work>(std::int64_t{1});
  }
  runtime.run_until_quiescent();
  for (int i = 0; i < 4; ++i) EXPECT_EQ(host.object({i, 0}).visits, 20);
  EXPECT_EQ(runtime.trace().arrays[1].name, "freed");
  EXPECT_EQ(runtime.describe_waiting(), "");
}

TEST_P(Lasting, BoundElementsMoveWithTheirLeaders) {
  follow_leaders({.pes = GetParam()});
}

INSTANTIATE_TEST_SUITE_P(All, Lasting, all_pes(), pes_name);

TEST(LastingArrays, AreNotFreedWhileTheyAreNeeded) {
  Runtime runtime({.pes = 1});
  const auto make = [](const auto&) { return std::make_unique<Tied>(); };
  const auto on_one = [](const auto&) { return 0; };
  const auto leaders = runtime.create_array<Tied>({2, 1}, on_one, make);
  const auto followers = runtime.create_array_beside<Tied>(
      leaders, {2, 1}, [](const auto& index) { return index; }, make);
  EXPECT_THROW(runtime.free_array(leaders), InternalError);  // another one is bound to it
  followers[{0, 0}].send<&Tied::work>(std::int64_t{1});
  EXPECT_THROW(runtime.free_array(followers), InternalError);  // a message is queued
  runtime.run_until_quiescent();
  const Runtime::Placement placement{followers.core(), {0, 0}};
  EXPECT_THROW(runtime.relocate({&placement, 1}), InternalError);  // it is bound
  runtime.free_array(followers);
  runtime.free_array(leaders);
}

}  // namespace
}  // namespace fg::test
