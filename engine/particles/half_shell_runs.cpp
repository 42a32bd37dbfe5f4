// SPDX-License-Identifier: BSD-3-Clause
#include "particles/half_shell_runs.hpp"

#include <algorithm>
#include <limits>
#include <numbers>

namespace fg {

double HalfShellRuns::cost(const std::array<int, 3>& direction) noexcept {
  // Let two atoms be (x, y, z) apart, as parts of the cutoff, all >= 0. Along each axis they can
  // lie in a part of the volume: (1-x) if the patches are the same, and x if they are neighbours.
  // Integrals of 1, x, xy and xyz over an eighth of the unit ball:
  constexpr double none = std::numbers::pi / 6, one = std::numbers::pi / 16, two = 1.0 / 15,
                   three = 1.0 / 48;
  constexpr double all = 2 * std::numbers::pi / 3;  // half a ball
  constexpr double self = 4 * (none - 3 * one + 3 * two - three);
  constexpr double face = 4 * (one - 2 * two + three), edge = 2 * (two - three), corner = three;
  const auto axes = 3 - std::ranges::count(direction, 0);
  return (axes == 0 ? self : axes == 1 ? face : axes == 2 ? edge : corner) / all;
}

HalfShellRuns::HalfShellRuns(int count) noexcept : count_(count) {
  // least[n][d] is the cost of the longest of n runs of the first d directions. start[n][d] is
  // where the last of them begins.
  constexpr int size = half_shell_size;
  std::array<std::array<double, size + 1>, size + 1> least;
  std::array<std::array<int, size + 1>, size + 1> start{};
  for (auto& row : least) row.fill(std::numeric_limits<double>::infinity());
  least[0][0] = 0;
  for (int n = 1; n <= count; ++n)
    for (int end = n; end <= size; ++end) {
      double last = 0;
      for (int begin = end - 1; begin >= n - 1; --begin) {
        last += cost(half_shell[begin]);
        const double longest = std::max(least[n - 1][begin], last);
        if (longest < least[n][end]) {
          least[n][end] = longest;
          start[n][end] = begin;
        }
      }
    }
  first_[count] = size;
  for (int n = count; n > 0; --n) first_[n - 1] = start[n][first_[n]];
}

}  // namespace fg
