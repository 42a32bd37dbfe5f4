// SPDX-License-Identifier: BSD-3-Clause
//
// Chares that move between the PEs of one process: every message arrives once, and the results do
// not depend on the moves.
#include <gtest/gtest.h>

#include "migration_cases.hpp"
#include "pes.hpp"
#include "support/effort.hpp"

namespace fg::test {
namespace {

class Migrating : public ::testing::TestWithParam<int> {};

TEST_P(Migrating, EveryMessageArrivesOnceInAStorm) {
  const int passes = static_cast<int>(effort(300));
  const Nomad::Account still = storm({.pes = 1}, 40, 100, passes);
  std::int64_t moves = 0;
  const Nomad::Account moved = storm({.pes = GetParam()}, 40, 100, passes, &moves);
  EXPECT_EQ(still.messages, 100 * (passes + 1));
  EXPECT_EQ(moved.messages, still.messages);
  EXPECT_EQ(moved.sum, still.sum);
  EXPECT_EQ(moved.exclusive_or, still.exclusive_or);
  EXPECT_GT(moves, 1000);
}

TEST_P(Migrating, LivesContinueElsewhereWithTheSameBits) {
  EXPECT_EQ(settle_down({.pes = GetParam()}, 20, 40, true), settle_down({.pes = 1}, 20, 40, false));
}

TEST_P(Migrating, AllAtOnceBetweenRuns) {
  Runtime runtime({.pes = GetParam()});
  const std::array<int, 1> shape{30};
  const auto array = runtime.create_array<Nomad>(shape, block_map(shape, runtime.pes()));
  const Section<Nomad> some(array, std::vector<std::array<int, 1>>{{3}, {4}, {29}});
  for (int round = 0; round < 5; ++round) {
    std::vector<int> pes;
    for (int i = 0; i < 30; ++i)
      pes.push_back(static_cast<int>(mixed(static_cast<std::uint64_t>(100 * round + i)) %
                                     static_cast<std::uint64_t>(runtime.pes())));
    const Runtime::Placement placement{array.core(), pes};
    runtime.relocate({&placement, 1});
    for (int i = 0; i < 30; ++i) {
      EXPECT_EQ(array.pe_of({i}), pes[static_cast<std::size_t>(i)]);
      EXPECT_EQ(array.object_at(i).pe(), pes[static_cast<std::size_t>(i)]);
    }
    some.multicast<&Nomad::pass>(std::uint64_t(round) << 32);
    runtime.run_until_quiescent();
    EXPECT_EQ(array.object_at(29).account.messages, round + 1);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Migrating, all_pes(), pes_name);

TEST(Relocation, OfALifeThatHasNotEndedIsADefect) {
  Runtime runtime({.pes = 2, .deadlock_is_error = false});
  const std::array<int, 1> shape{2};
  const auto array = runtime.create_array<Settler>(
      shape, block_map(shape, 2), [](const auto&) { return std::make_unique<Settler>(5, false); });
  array.at_ordinal(0).send<&Settler::life>();
  runtime.run_until_quiescent();
  const Runtime::Placement placement{array.core(), {1, 1}};
  EXPECT_THROW(runtime.relocate({&placement, 1}), InternalError);
}

}  // namespace
}  // namespace fg::test
