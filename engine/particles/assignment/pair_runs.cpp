// SPDX-License-Identifier: BSD-3-Clause
#include "particles/assignment/pair_runs.hpp"

#include <algorithm>
#include <limits>
#include <numbers>
#include <utility>

namespace fg {

namespace {

constexpr double half_a_ball = 2 * std::numbers::pi / 3;

/// Let two atoms be (x, y, z) apart, as parts of the cutoff, all >= 0. Along each axis they can lie
/// in a part of the volume: (1-x) if the patches are the same, and x if they are neighbours.
double share_of_wide_patches(const PatchOffset& direction) noexcept {
  // Integrals of 1, x, xy and xyz over an eighth of the unit ball:
  constexpr double none = std::numbers::pi / 6, one = std::numbers::pi / 16, two = 1.0 / 15,
                   three = 1.0 / 48;
  constexpr double self = 4 * (none - 3 * one + 3 * two - three);
  constexpr double face = 4 * (one - 2 * two + three), edge = 2 * (two - three), corner = three;
  const auto axes = 3 - std::ranges::count(direction, 0);
  return (axes == 0 ? self : axes == 1 ? face : axes == 2 ? edge : corner) / half_a_ball;
}

/// The same integral over places in both patches, by the midpoint rule. Along an axis the
/// difference of two places in cells has a triangular distribution.
double share_of_thin_patches(const PatchOffset& direction, const PatchOffset& reach) noexcept {
  constexpr int points = 8;  // along a patch
  const auto apart = [&](int axis, int i) {
    return (direction[static_cast<std::size_t>(axis)] + (i + 0.5) / points - 1) /
           reach[static_cast<std::size_t>(axis)];
  };
  const auto weight = [](int i) { return std::min(2 * i + 1, 4 * points - 1 - 2 * i); };
  double within = 0;
  for (int i = 0; i < 2 * points; ++i)
    for (int j = 0; j < 2 * points; ++j)
      for (int k = 0; k < 2 * points; ++k) {
        const double x = apart(0, i), y = apart(1, j), z = apart(2, k);
        if (x * x + y * y + z * z < 1) within += weight(i) * weight(j) * weight(k);
      }
  constexpr double volume = 8.0 * points * points * points;
  const double patch = 1.0 / (reach[0] * reach[1] * reach[2]);
  const double once = direction == PatchOffset{} ? 0.5 : 1;  // each pair within a patch
  return once * within / (volume * points * points * points) * patch / half_a_ball;
}

}  // namespace

double PairRuns::cost(const PatchOffset& direction, const PatchOffset& reach) noexcept {
  return reach == PatchOffset{1, 1, 1} ? share_of_wide_patches(direction)
                                       : share_of_thin_patches(direction, reach);
}

PairRuns::PairRuns(const HalfShell& shell, int count)
    : directions_(shell.directions().begin(), shell.directions().end()) {
  const auto size = directions_.size();
  const auto runs = static_cast<std::size_t>(count);
  std::vector<double> costs;
  costs.reserve(size);
  for (const PatchOffset& direction : directions_) costs.push_back(cost(direction, shell.reach()));
  // least[n][d] is the cost of the longest of n runs of the first d directions. start[n][d] is
  // where the last of them begins.
  std::vector<std::vector<double>> least(
      runs + 1, std::vector<double>(size + 1, std::numeric_limits<double>::infinity()));
  std::vector<std::vector<int>> start(runs + 1, std::vector<int>(size + 1));
  least[0][0] = 0;
  for (std::size_t n = 1; n <= runs; ++n)
    for (std::size_t end = n; end <= size; ++end) {
      double last = 0;
      for (std::size_t begin = end; begin-- >= n;) {
        last += costs[begin];
        const double longest = std::max(least[n - 1][begin], last);
        if (longest < least[n][end]) {
          least[n][end] = longest;
          start[n][end] = static_cast<int>(begin);
        }
      }
    }
  first_.assign(runs + 1, 0);
  first_[runs] = static_cast<int>(size);
  for (std::size_t n = runs; n > 0; --n)
    first_[n - 1] = start[n][static_cast<std::size_t>(first_[n])];
}

}  // namespace fg
