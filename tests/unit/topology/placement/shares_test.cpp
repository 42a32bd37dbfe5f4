// SPDX-License-Identifier: BSD-3-Clause
//
// Parts of a load by hand, and the nearest cut against all cuts.
#include "topology/placement/shares.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <random>
#include <vector>

namespace fg::topology {
namespace {

TEST(FairPart, FollowsSharesAndWorkThatIsThereAlready) {
  EXPECT_EQ(fair_part(90, {1, 1, 0}, {2, 2, 0}), 30);
  EXPECT_EQ(fair_part(90, {1, 1, 12}, {2, 2, 0}), 22);   // (90 + 12) / 3 - 12
  EXPECT_EQ(fair_part(90, {1, 1, 200}, {2, 2, 0}), 0);   // has too much already
  EXPECT_EQ(fair_part(90, {1, 1, 0}, {2, 2, 300}), 90);  // the others have
}

TEST(FairPart, DoesNotOverflow) {
  constexpr std::int64_t load = std::numeric_limits<std::int64_t>::max() / 2;
  EXPECT_EQ(fair_part(load, {1, 1 << 20, 0}, {1, 1 << 20, 0}), load / 2);
}

TEST(NearestCut, IsTheBestOfAllCuts) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    std::vector<std::int64_t> loads(1 + random() % 9);
    std::int64_t whole = 0;
    for (std::int64_t& load : loads) whole += load = static_cast<std::int64_t>(random() % 6);
    const auto size = static_cast<std::int64_t>(loads.size());
    const std::int64_t wanted = static_cast<std::int64_t>(random()) % (whole + 1);
    const std::int64_t least = static_cast<std::int64_t>(random()) % (size + 1);
    const std::int64_t most = least + static_cast<std::int64_t>(random()) % (size - least + 1);
    std::vector<std::int64_t> off;
    std::int64_t sum = 0;
    for (std::int64_t cut = 0; cut <= most; ++cut) {
      if (cut >= least) off.push_back(std::abs(sum - wanted));
      if (cut < size) sum += loads[static_cast<std::size_t>(cut)];
    }
    const std::int64_t cut = nearest_cut(loads, wanted, least, most);
    ASSERT_GE(cut, least);
    ASSERT_LE(cut, most);
    EXPECT_EQ(off[static_cast<std::size_t>(cut - least)], *std::ranges::min_element(off));
  }
}

}  // namespace
}  // namespace fg::topology
