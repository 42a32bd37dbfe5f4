// SPDX-License-Identifier: BSD-3-Clause
//
// Each pass over a moving orbital against its plain loop, on every SIMD target, on sizes that do
// not fill a vector.
#include "ab_initio/orbitals/motion_lines.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <random>
#include <vector>

#include "support/each_simd_target.hpp"

namespace fg::test {
namespace {

using namespace ab_initio;
using Line = std::vector<double>;

constexpr std::size_t sizes[] = {2, 4, 6, 8, 14, 16, 30, 514};

class MotionLines : public EachSimdTarget {
 protected:
  Line numbers(std::size_t count, double least = -1, double most = 1) {
    std::uniform_real_distribution<double> number(least, most);
    Line all(count);
    for (double& one : all) one = number(random_);
    return all;
  }
  /// Ten roundings of numbers below 10.
  static void expect_same(const Line& mine, const Line& plain) {
    for (std::size_t i = 0; i < plain.size(); ++i)
      EXPECT_NEAR(mine[i], plain[i], 10 * 10 * 2.2e-16) << i << " of " << plain.size();
  }

 private:
  std::mt19937_64 random_{12};
};

TEST_P(MotionLines, KickVelocitiesAndAddUpTheirKineticEnergy) {
  for (const std::size_t n : sizes) {
    const Line h = numbers(n), masses = numbers(n, 1, 3);
    Line mine = numbers(n), plain = mine;
    const double sum = kick_line(h.data(), masses.data(), 0.7, n, mine.data());
    const double expected = reference::kick_line(h.data(), masses.data(), 0.7, n, plain.data());
    // The rounding of a sum of n numbers below 10.
    EXPECT_NEAR(sum, expected, 10 * static_cast<double>(n + 1) * 2.2e-16);
    expect_same(mine, plain);
  }
}

TEST_P(MotionLines, MoveOrbitals) {
  for (const std::size_t n : sizes) {
    const Line h = numbers(n), masses = numbers(n, 1, 3), c = numbers(n);
    const Drift of{h.data(), masses.data(), 0.9, 0.7, 0.3};
    Line v = numbers(n), plain_v = v, moved(n), plain_moved(n), pulled(n), plain_pulled(n);
    drift_line(of, c.data(), n, v.data(), moved.data(), pulled.data());
    reference::drift_line(of, c.data(), n, plain_v.data(), plain_moved.data(), plain_pulled.data());
    expect_same(v, plain_v);
    expect_same(moved, plain_moved);
    expect_same(pulled, plain_pulled);
  }
}

TEST_P(MotionLines, MoveFreeOrbitals) {
  for (const std::size_t n : sizes) {
    const Line h = numbers(n), masses = numbers(n, 1, 3);
    const Drift of{h.data(), masses.data(), 0.9, 0.7, 0.3};
    Line v = numbers(n), plain_v = v, c = numbers(n), plain_c = c;
    free_drift_line(of, n, v.data(), c.data());
    reference::free_drift_line(of, n, plain_v.data(), plain_c.data());
    expect_same(v, plain_v);
    expect_same(c, plain_c);
  }
}

TEST_P(MotionLines, TakeWhatForcesOfConstraintHaveMoved) {
  for (const std::size_t n : sizes) {
    const Line moved = numbers(n), by = numbers(n, 1, 3);
    Line v = numbers(n), plain_v = v, c(n), plain_c(n);
    constrain_line(moved.data(), by.data(), 0.3, n, v.data(), c.data());
    reference::constrain_line(moved.data(), by.data(), 0.3, n, plain_v.data(), plain_c.data());
    expect_same(v, plain_v);
    expect_same(c, plain_c);
  }
}

FG_ON_EACH_SIMD_TARGET(MotionLines);

}  // namespace
}  // namespace fg::test
