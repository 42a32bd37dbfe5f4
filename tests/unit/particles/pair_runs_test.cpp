// SPDX-License-Identifier: BSD-3-Clause
#include "particles/assignment/pair_runs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace fg {
namespace {

constexpr std::array<PatchOffset, 5> reaches = {
    {{1, 1, 1}, {2, 2, 2}, {3, 3, 3}, {1, 2, 3}, {4, 4, 4}}};

double cost_of(std::span<const PatchOffset> run, const PatchOffset& reach) {
  double sum = 0;
  for (const auto& direction : run) sum += PairRuns::cost(direction, reach);
  return sum;
}

TEST(PairRuns, HoldEveryDirectionOnceInOrder) {
  for (const PatchOffset& reach : reaches)
    for (int count = 1; count <= 14; ++count) {
      const HalfShell shell(reach);
      const PairRuns runs(shell, count);
      ASSERT_EQ(runs.count(), count);
      std::vector<PatchOffset> all;
      for (int i = 0; i < count; ++i) {
        EXPECT_FALSE(runs.run(i).empty()) << count;
        all.insert(all.end(), runs.run(i).begin(), runs.run(i).end());
      }
      EXPECT_TRUE(std::ranges::equal(all, shell.directions())) << count;
    }
}

/// The pairs of atoms on a fine grid, between the patch and one in each direction.
void expect_share_of_pairs(const PatchOffset& reach, double tolerance) {
  constexpr int n = 24;  // grid points along the cutoff
  const HalfShell shell(reach);
  std::vector<double> pairs(static_cast<std::size_t>(shell.size()));
  double all = 0;
  for (int x = -n; x <= n; ++x)
    for (int y = -n; y <= n; ++y)
      for (int z = -n; z <= n; ++z) {
        if (x * x + y * y + z * z > n * n) continue;
        for (int d = 0; d < shell.size(); ++d) {
          double both = d == 0 ? 0.5 : 1;  // each pair within a patch is met twice
          for (int axis = 0; axis < 3; ++axis) {
            const int width = n / reach[axis];
            const int apart = std::array{x, y, z}[axis] - width * shell[d][axis];
            both *= std::max(0, width - std::abs(apart));
          }
          pairs[static_cast<std::size_t>(d)] += both;
          all += both;
        }
      }
  double sum = 0;
  for (int d = 0; d < shell.size(); ++d) {
    EXPECT_NEAR(PairRuns::cost(shell[d], reach), pairs[static_cast<std::size_t>(d)] / all,
                tolerance)
        << d;
    sum += PairRuns::cost(shell[d], reach);
  }
  const bool exact = reach == PatchOffset{1, 1, 1};
  EXPECT_NEAR(sum, 1, exact ? 1e-12 : 8e-3);
}

TEST(PairRuns, CostIsTheShareOfPairs) {
  for (const PatchOffset& reach : reaches) expect_share_of_pairs(reach, 2e-3);
}

/// The longest run against all ways to divide the half shell.
TEST(PairRuns, AreAsEvenAsTheyCanBe) {
  const HalfShell shell;
  const unsigned ways = 1U << (shell.size() - 1);
  std::vector<double> best(static_cast<std::size_t>(shell.size()) + 1, 2);
  for (unsigned ends = 0; ends < ways; ++ends) {
    std::size_t count = 1;
    double run = 0, longest = 0;
    for (int d = 0; d < shell.size(); ++d) {
      run += PairRuns::cost(shell[d], shell.reach());
      longest = std::max(longest, run);
      if ((ends >> d & 1U) != 0 && d + 1 < shell.size()) {
        run = 0;
        ++count;
      }
    }
    best[count] = std::min(best[count], longest);
  }
  for (int count = 1; count <= shell.size(); ++count) {
    const PairRuns runs(shell, count);
    double longest = 0;
    for (int i = 0; i < count; ++i)
      longest = std::max(longest, cost_of(runs.run(i), shell.reach()));
    EXPECT_NEAR(longest, best[static_cast<std::size_t>(count)], 1e-12) << count;
  }
}

}  // namespace
}  // namespace fg
