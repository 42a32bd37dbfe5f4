// SPDX-License-Identifier: BSD-3-Clause
//
// The sums that are chosen for an Ewald energy, and what is refused.
#include "electrons/ions/ewald_ions.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "base/error.hpp"
#include "support/expect_refused.hpp"

namespace fg::electrons {
namespace {

using test::expect_refused;

const Lattice cubic = {{Vec3{8, 0, 0}, Vec3{0, 8, 0}, Vec3{0, 0, 8}}};
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(EwaldIons, MoreIonsTakeMoreOfTheSumOverWaves) {
  const EwaldIons few(cubic, std::vector<double>(2, 1.0));
  const EwaldIons many(cubic, std::vector<double>(200, 1.0));
  EXPECT_GT(many.splitting(), few.splitting());
  EXPECT_GT(many.waves(), few.waves());
  EXPECT_LT(many.images(), few.images());
}

TEST(EwaldIons, OperationsAreThoseOfImagesPairsAndWaves) {
  EXPECT_EQ(EwaldIons(cubic, {}).operations(), 0);
  // A short sum over waves leaves the pairs, and a short one over pairs the waves.
  const std::vector<double> charges(3, 1.0);
  const EwaldIons near(cubic, charges, 0.2), far(cubic, charges, 2.0);
  const double reached = 4 * std::numbers::pi / 3 * std::pow(6.3 / 0.2, 3) / (8 * 8 * 8);
  EXPECT_DOUBLE_EQ(near.operations(),
                   6 * (9.0 * static_cast<double>(near.images()) + 100 * reached) +
                       3 * 18.0 * static_cast<double>(near.waves()));
  EXPECT_GT(far.operations(), 3 * 18.0 * static_cast<double>(far.waves()));
  EXPECT_LT(far.operations(), 1.1 * 3 * 18.0 * static_cast<double>(far.waves()));
}

TEST(EwaldIons, NoIonsHaveNoEnergy) {
  const IonEnergy none = EwaldIons(cubic, {}).evaluate({});
  EXPECT_EQ(none.energy, 0);
  EXPECT_TRUE(none.forces.empty());
}

TEST(EwaldIons, RefusesChargesAndSplittingsThatAreNoNumbers) {
  expect_refused<InputError>([] { EwaldIons(cubic, {1, nan}); }, "ion 2");
  expect_refused<InputError>([] { EwaldIons(cubic, {1}, 0.0); }, "not a positive number");
  expect_refused<InputError>([] { EwaldIons(cubic, {1}, nan); }, "not a positive number");
}

TEST(EwaldIons, RefusesPositionsThatAreNone) {
  const EwaldIons two(cubic, {1, 2});
  const std::vector<Vec3> lost = {{1, 2, 3}, {1, nan, 3}}, one = {{1, 2, 3}};
  expect_refused<NumericsError>([&] { two.evaluate(lost); }, "ion 2");
  expect_refused<InternalError>([&] { two.evaluate(one); }, "positions.size()");
}

TEST(EwaldIons, RefusesTwoIonsAtOnePlace) {
  const EwaldIons two(cubic, {1, 2});
  const std::vector<Vec3> same = {{1, 2, 3}, {1, 2, 3 + 1e-8}}, image = {{1, 2, 3}, {9, 2, 3}};
  expect_refused<InputError>([&] { two.evaluate(same); }, "two ions are at the same place");
  expect_refused<InputError>([&] { two.evaluate(image); }, "ions 1 and 2");
}

}  // namespace
}  // namespace fg::electrons
