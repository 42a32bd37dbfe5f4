// SPDX-License-Identifier: BSD-3-Clause
//
// Functions of |G| between the points of their tables: against the formulas of Gaussian
// pseudopotentials within the bound that the header states, and against the twin.
#include "electrons/waves/radial_table.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "base/error.hpp"
#include "support/electrons/gaussian_transform.hpp"
#include "support/expect_refused.hpp"
#include "support/references/electrons/wave_references.hpp"

namespace fg::electrons {
namespace {

using test::expect_refused;

using test::GaussianTransform;

struct Sample {
  GaussianTransform function;
  int l;
};

/// Oxygen of GTH-BLYP and projectors of all kinds; the radii are those of real files.
const Sample samples[] = {
    {test::gth_local(0.24342026, -16.99189235, 2.56614206), 0},
    {test::gth_projector(0, 1, 0.22083140), 0},
    {test::gth_projector(0, 2, 0.44465247), 0},
    {test::gth_projector(1, 1, 0.50279207), 1},
    {test::gth_projector(1, 2, 0.50279207), 1},
    {test::gth_projector(2, 1, 0.6), 2},
    {test::gth_projector(2, 2, 0.6), 2},
    {test::gth_projector(3, 1, 0.4), 3},
};

/// Lengths of all sizes up to the end of a table, with 0 and the end.
std::vector<double> lengths_up_to(double longest) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> uniform(0, longest);
  std::vector<double> lengths = {0, longest, 1e-9, 0.5 * longest};
  for (int i = 0; i < 2000; ++i) lengths.push_back(uniform(random));
  return lengths;
}

TEST(RadialTable, IsWithinTheBoundOfItsErrorAndNeedsMostOfIt) {
  for (const Sample& sample : samples) {
    const double spacing = 0.25 / sample.function.radius;
    const RadialTable table(sample.function.table(spacing, 60), spacing, sample.l);
    const double eighth = sample.function.largest(8), ninth = sample.function.largest(9);
    const double bound = 1.07e-3 * std::pow(spacing, 8) * eighth;
    const double slope_bound =
        3.58e-3 * std::pow(spacing, 7) * eighth + 1.19e-4 * std::pow(spacing, 8) * ninth;
    double worst = 0, worst_slope = 0;
    for (const double g : lengths_up_to(table.longest())) {
      const RadialValue found = table.at(g);
      worst = std::max(worst, std::abs(found.value - sample.function.value(g)));
      worst_slope = std::max(worst_slope, std::abs(found.slope - sample.function.derivative(1, g)));
    }
    EXPECT_LE(worst, bound);
    EXPECT_GE(worst, bound / 4);
    EXPECT_LE(worst_slope, slope_bound);
    EXPECT_GE(worst_slope, slope_bound / 4);
  }
}

TEST(RadialTable, AtTheSpacingOfJobsOnlyRoundingIsLeft) {
  constexpr double spacing = 0.01;
  for (const Sample& sample : samples) {
    const RadialTable table(sample.function.table(spacing, 3000), spacing, sample.l);
    // Eight products of values with factors whose sizes add up to at most 4; the slope has factors
    // of up to 4 over the spacing.
    const double rounding = 4e-16 * sample.function.largest(0);
    for (const double g : lengths_up_to(table.longest())) {
      const RadialValue found = table.at(g);
      EXPECT_NEAR(found.value, sample.function.value(g), 8 * rounding);
      EXPECT_NEAR(found.slope, sample.function.derivative(1, g), 16 * rounding / spacing);
    }
  }
}

TEST(RadialTable, IsThatOfTheTwin) {
  for (const Sample& sample : samples)
    for (const double spacing : {0.01, 0.2}) {
      const std::vector<double> values = sample.function.table(spacing, 40);
      const RadialTable table(values, spacing, sample.l);
      const double rounding = 4e-16 * sample.function.largest(0);
      for (const double g : lengths_up_to(table.longest())) {
        const RadialValue found = table.at(g);
        const RadialValue right = reference::radial_value(values, spacing, sample.l, g);
        // The twin's distances from points are rounded by 40 spacings.
        EXPECT_NEAR(found.value, right.value, 40 * rounding);
        EXPECT_NEAR(found.slope, right.slope, 160 * rounding / spacing);
      }
    }
}

TEST(RadialTable, GivesAPointOfTheTableItself) {
  const std::vector<double> values = samples[3].function.table(0.125, 20);
  const RadialTable table(values, 0.125, 1);
  // The factor of the point is a product of inverses.
  for (int i = 0; i + RadialTable::reach < 20; ++i)
    EXPECT_NEAR(table.at(i * 0.125).value, values[i], 4e-16 * std::abs(values[i]));
}

TEST(RadialTable, AnEvenFunctionIsFlatAtZeroAndAnOddOneIsZero) {
  for (const Sample& sample : samples) {
    const RadialTable table(sample.function.table(0.01, 40), 0.01, sample.l);
    const RadialValue zero = table.at(0);
    // Rounding of the points over the spacing, as above.
    if (sample.l % 2 == 0)
      EXPECT_NEAR(zero.slope, 0, 64e-16 * sample.function.largest(0) / 0.01);
    else
      EXPECT_EQ(zero.value, 0);
  }
}

TEST(RadialTable, WavesHaveTheSameBitsAtAnyPlace) {
  const RadialTable table(samples[1].function.table(0.01, 500), 0.01, 0);
  const std::vector<double> squares = {4.1, 0, 2.5, 4.1}, back = {4.1, 2.5, 0, 4.1};
  std::vector<double> values(4), slopes(4), values_back(4);
  table.evaluate(squares, values, slopes);
  table.evaluate(back, values_back);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(values[i], values_back[3 - i]);
    EXPECT_EQ(values[i], table.at(std::sqrt(squares[i])).value);
    EXPECT_EQ(slopes[i], table.at(std::sqrt(squares[i])).slope);
  }
}

TEST(RadialTable, RefusesWhatIsNoTable) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> ones(20, 1.0);
  std::vector<double> lost = ones;
  lost[7] = nan;
  expect_refused<InputError>([&] { RadialTable({1, 2, 3}, 0.1, 0); }, "3 points");
  expect_refused<InputError>([&] { RadialTable(ones, 0, 0); }, "not positive");
  expect_refused<InputError>([&] { RadialTable(ones, nan, 0); }, "not positive");
  expect_refused<InputError>([&] { RadialTable(ones, 0.1, -1); }, "-1");
  expect_refused<InputError>([&] { RadialTable(lost, 0.1, 0); }, "point 7");
  expect_refused<InputError>([&] { RadialTable(ones, 0.1, 3); }, "l = 3");
  EXPECT_NO_THROW(RadialTable(ones, 0.1, 2));
}

TEST(RadialTable, RefusesWavesBeyondItsEnd) {
  const RadialTable table(std::vector<double>(20, 1.0), 0.1, 0);
  EXPECT_DOUBLE_EQ(table.longest(), 1.5);
  std::vector<double> value(1), two(2);
  expect_refused<InputError>([&] { table.at(1.51); }, "|G| = 1.51");
  expect_refused<InputError>([&] { table.at(-0.01); }, "-0.01");
  expect_refused<InputError>([&] { table.evaluate(std::vector{2.5}, value); }, "1.58");
  expect_refused<InternalError>([&] { table.evaluate(std::vector{1.0}, two); }, "squares");
}

}  // namespace
}  // namespace fg::electrons
