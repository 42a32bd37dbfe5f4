// SPDX-License-Identifier: BSD-3-Clause
//
// A row cut by costs: against all cuts of small rows, and by hand.
#include "runtime/places/consecutive.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

namespace fg::balance {
namespace {

using Costs = std::vector<std::int64_t>;

std::int64_t fullest(const Costs& costs, Costs sums, const std::vector<int>& pes) {
  for (std::size_t i = 0; i < costs.size(); ++i) sums[static_cast<std::size_t>(pes[i])] += costs[i];
  return *std::max_element(sums.begin(), sums.end());
}

/// The smallest largest sum of any cut of the elements from `from` on for the PEs from `pe` on.
std::int64_t best(const Costs& costs, const Costs& already, std::size_t from = 0,
                  std::size_t pe = 0) {
  if (pe == already.size())
    return from == costs.size() ? 0 : std::numeric_limits<std::int64_t>::max();
  std::int64_t least = std::numeric_limits<std::int64_t>::max(), here = already[pe];
  for (std::size_t end = from;; ++end) {
    least = std::min(least, std::max(here, best(costs, already, end, pe + 1)));
    if (end == costs.size()) return least;
    here += costs[end];
  }
}

TEST(Consecutive, DividesEqualCostsByCount) {
  for (const int pes : {1, 2, 3, 5, 8, 40})
    for (const int size : {0, 1, 7, 8, 27, 64}) {
      const Costs costs(static_cast<std::size_t>(size), 1000);
      const auto found = consecutive(costs, Costs(static_cast<std::size_t>(pes), 0));
      ASSERT_EQ(found.size(), costs.size());
      for (int pe = 0; pe < pes; ++pe) {
        const auto count = std::count(found.begin(), found.end(), pe);
        EXPECT_GE(count, size / pes) << size << " on " << pes;
        EXPECT_LE(count, (size + pes - 1) / pes) << size << " on " << pes;
      }
    }
}

TEST(Consecutive, HasNoBetterCut) {
  std::mt19937 random(11);
  std::uniform_int_distribution<int> cost(0, 20), sizes(0, 9), pes(1, 4), rest(0, 15);
  for (int attempt = 0; attempt < 400; ++attempt) {
    Costs costs(static_cast<std::size_t>(sizes(random)));
    Costs already(static_cast<std::size_t>(pes(random)));
    for (auto& c : costs) c = cost(random);
    if (attempt % 2)
      for (auto& c : already) c = rest(random);
    const auto found = consecutive(costs, already);
    EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
    for (const int pe : found) {
      EXPECT_GE(pe, 0);
      EXPECT_LT(pe, static_cast<int>(already.size()));
    }
    EXPECT_EQ(fullest(costs, already, found), best(costs, already)) << attempt;
  }
}

TEST(Consecutive, LeavesAFullPeAloneAndFillsTheOthers) {
  EXPECT_EQ(consecutive(Costs{1, 1, 1, 1}, Costs{0, 9, 0}), (std::vector<int>{0, 0, 2, 2}));
  EXPECT_EQ(consecutive(Costs{1, 1, 1, 1}, Costs{3, 0, 1}), (std::vector<int>{1, 1, 2, 2}));
  EXPECT_EQ(consecutive(Costs{9, 1, 1, 1}, Costs{0, 0}), (std::vector<int>{0, 1, 1, 1}));
}

TEST(Consecutive, SpreadsWhatIsLeftAroundAHeavyElement) {
  // The heavy one decides the largest sum; all others could be on one PE.
  EXPECT_EQ(consecutive(Costs{10, 1, 1, 1, 1, 1, 1}, Costs{0, 0, 0}),
            (std::vector<int>{0, 1, 1, 1, 2, 2, 2}));
}

}  // namespace
}  // namespace fg::balance
