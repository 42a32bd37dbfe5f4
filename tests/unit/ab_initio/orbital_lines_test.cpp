// SPDX-License-Identifier: BSD-3-Clause
//
// Each pass over an orbital against its plain loop, on every SIMD target, on sizes that do not fill
// a vector.
#include "ab_initio/orbitals/orbital_lines.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "support/each_simd_target.hpp"

namespace fg::test {
namespace {

using namespace ab_initio;
using Line = std::vector<double>;

constexpr std::size_t sizes[] = {2, 4, 6, 8, 14, 16, 30, 514};

class OrbitalLines : public EachSimdTarget {
 protected:
  Line numbers(std::size_t count, double least = -1) {
    std::uniform_real_distribution<double> number(least, 1);
    Line all(count);
    for (double& one : all) one = number(random_);
    return all;
  }
  std::vector<float> floats(std::size_t count) {
    const Line wide = numbers(count);
    return {wide.begin(), wide.end()};
  }
  /// Up to ten roundings of numbers below 20.
  static void expect_same(const Line& mine, const Line& plain) {
    for (std::size_t i = 0; i < plain.size(); ++i)
      EXPECT_NEAR(mine[i], plain[i], 20 * 10 * 2.2e-16) << i << " of " << plain.size();
  }
  /// The rounding of sums of n products of numbers below 4.
  static double rounding(std::size_t n) { return 4 * static_cast<double>(n + 1) * 2.2e-16; }

 private:
  std::mt19937_64 random_{11};
};

TEST_P(OrbitalLines, TakeTheKineticPartAndItsEnergy) {
  for (const std::size_t n : sizes) {
    const Line squares = numbers(n, 0), psi = numbers(n);
    Line mine(n), plain(n);
    const double energy = kinetic_line(squares.data(), psi.data(), n, mine.data());
    EXPECT_NEAR(energy, reference::kinetic_line(squares.data(), psi.data(), n, plain.data()),
                rounding(n));
    expect_same(mine, plain);
  }
}

TEST_P(OrbitalLines, TakeGradientsTheirSlopeAndTheirLargestCoefficient) {
  for (const std::size_t n : sizes)
    for (const bool in_the_end : {false, true}) {
      Line h = numbers(n);
      h[in_the_end ? n - 1 : 0] = 3;  // the largest one, in a whole vector or behind it
      const Line inside = numbers(n), direction = numbers(n);
      Line mine(n), plain(n);
      const GradientSums sums =
          gradient_line(h.data(), inside.data(), direction.data(), n, mine.data());
      const GradientSums expected =
          reference::gradient_line(h.data(), inside.data(), direction.data(), n, plain.data());
      EXPECT_NEAR(sums.largest, expected.largest, rounding(20));
      EXPECT_NEAR(sums.slope, expected.slope, rounding(n));
      expect_same(mine, plain);
    }
}

TEST_P(OrbitalLines, TakeThePartInTheSpaceOfTheOrbitalsFromDirections) {
  for (const std::size_t n : sizes) {
    const Line inside = numbers(n), gradient = numbers(n);
    Line mine = numbers(n), plain = mine;
    EXPECT_NEAR(direction_line(inside.data(), gradient.data(), n, mine.data()),
                reference::direction_line(inside.data(), gradient.data(), n, plain.data()),
                rounding(n));
    expect_same(mine, plain);
  }
}

TEST_P(OrbitalLines, Precondition) {
  for (const std::size_t n : sizes) {
    const Line squares = numbers(n, 0), y = numbers(n);
    Line mine(n), plain(n);
    precondition_line(squares.data(), 0.3, y.data(), n, mine.data());
    reference::precondition_line(squares.data(), 0.3, y.data(), n, plain.data());
    expect_same(mine, plain);
  }
}

TEST_P(OrbitalLines, RoundStepsAndChangesToFloat) {
  for (const std::size_t n : sizes) {
    const Line direction = numbers(n), gradient = numbers(n), before = numbers(n);
    const NewPair of{direction.data(), gradient.data(), before.data(), 0.7};
    std::vector<float> step(n), change(n), plain_step(n), plain_change(n);
    new_pair_line(of, n, step.data(), change.data());
    reference::new_pair_line(of, n, plain_step.data(), plain_change.data());
    EXPECT_EQ(step, plain_step);
    EXPECT_EQ(change, plain_change);
    Line wide(n);
    widen_line(step.data(), n, wide.data());
    EXPECT_EQ(wide, Line(step.begin(), step.end()));
  }
}

TEST_P(OrbitalLines, AddUpSearchDirections) {
  for (const std::size_t n : sizes)
    for (const std::size_t pairs : {0, 1, 3}) {
      constexpr std::size_t first = 4;
      const Line squares = numbers(n, 0), gradient = numbers(n);
      std::vector<std::vector<float>> rows;
      std::vector<const float*> changes, steps;
      for (std::size_t p = 0; p < 2 * pairs; ++p) rows.push_back(floats(first + n));
      for (std::size_t p = 0; p < pairs; ++p) {
        changes.push_back(rows[2 * p].data());
        steps.push_back(rows[2 * p + 1].data());
      }
      const Line by_change = numbers(pairs), by_step = numbers(pairs);
      const SearchTerms terms{changes, steps, first, by_change.data(), by_step.data(), 1.5};
      Line mine(n), plain(n);
      search_line(squares.data(), 0.4, gradient.data(), terms, n, mine.data());
      reference::search_line(squares.data(), 0.4, gradient.data(), terms, n, plain.data());
      expect_same(mine, plain);
    }
}

FG_ON_EACH_SIMD_TARGET(OrbitalLines);

}  // namespace
}  // namespace fg::test
