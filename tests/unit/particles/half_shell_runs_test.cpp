// SPDX-License-Identifier: BSD-3-Clause
#include "particles/half_shell_runs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace fg {
namespace {

double cost_of(std::span<const std::array<int, 3>> run) {
  double sum = 0;
  for (const auto& direction : run) sum += HalfShellRuns::cost(direction);
  return sum;
}

TEST(HalfShellRuns, HoldEveryDirectionOnceInOrder) {
  for (int count = 1; count <= half_shell_size; ++count) {
    const HalfShellRuns runs(count);
    ASSERT_EQ(runs.count(), count);
    std::vector<std::array<int, 3>> all;
    for (int i = 0; i < count; ++i) {
      EXPECT_FALSE(runs.run(i).empty()) << count;
      all.insert(all.end(), runs.run(i).begin(), runs.run(i).end());
    }
    EXPECT_TRUE(std::ranges::equal(all, half_shell)) << count;
  }
}

/// The pairs of atoms on a fine grid, between the patch and one in each direction.
TEST(HalfShellRuns, CostIsTheShareOfPairs) {
  constexpr int n = 24;  // grid points along a patch, which is as wide as the cutoff
  std::array<double, half_shell_size> pairs{};
  double all = 0;
  for (int x = -n; x <= n; ++x)
    for (int y = -n; y <= n; ++y)
      for (int z = -n; z <= n; ++z) {
        if (x * x + y * y + z * z > n * n) continue;
        for (int d = 0; d < half_shell_size; ++d) {
          double both = d == 0 ? 0.5 : 1;  // each pair within a patch is met twice
          for (int axis = 0; axis < 3; ++axis) {
            const int apart = std::array{x, y, z}[axis] - n * half_shell[d][axis];
            both *= std::max(0, n - std::abs(apart));
          }
          pairs[d] += both;
          all += both;
        }
      }
  double sum = 0;
  for (int d = 0; d < half_shell_size; ++d) {
    EXPECT_NEAR(HalfShellRuns::cost(half_shell[d]), pairs[d] / all, 2e-3) << d;
    sum += HalfShellRuns::cost(half_shell[d]);
  }
  EXPECT_NEAR(sum, 1, 1e-12);
}

/// The longest run against all ways to divide the half shell.
TEST(HalfShellRuns, AreAsEvenAsTheyCanBe) {
  constexpr unsigned ways = 1U << (half_shell_size - 1);
  std::array<double, half_shell_size + 1> best;
  best.fill(2);
  for (unsigned ends = 0; ends < ways; ++ends) {
    int count = 1;
    double run = 0, longest = 0;
    for (int d = 0; d < half_shell_size; ++d) {
      run += HalfShellRuns::cost(half_shell[d]);
      longest = std::max(longest, run);
      if ((ends >> d & 1U) != 0 && d + 1 < half_shell_size) {
        run = 0;
        ++count;
      }
    }
    best[count] = std::min(best[count], longest);
  }
  for (int count = 1; count <= half_shell_size; ++count) {
    const HalfShellRuns runs(count);
    double longest = 0;
    for (int i = 0; i < count; ++i) longest = std::max(longest, cost_of(runs.run(i)));
    EXPECT_NEAR(longest, best[count], 1e-12) << count;
  }
}

}  // namespace
}  // namespace fg
