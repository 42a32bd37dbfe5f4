// SPDX-License-Identifier: BSD-3-Clause
//
// Velocity rescaling of an ideal gas, which has no forces: after many factors its kinetic energy
// has the canonical distribution, and forgets its value at the rate that the time constant says.
// The bounds are five standard errors: one in 6e5 seeds would fail in each. Seeds are fixed.
#include "motion/velocity_rescaling.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

namespace fg::test {
namespace {

constexpr double temperature = 0.7;
constexpr int applications = 200'000;

/// Degrees of freedom, and the share of a kinetic energy that one interval leaves.
class Rescaling : public ::testing::TestWithParam<std::tuple<int, double>> {};

TEST_P(Rescaling, GivesTheCanonicalKineticEnergy) {
  const auto [freedom, keep] = GetParam();
  const VelocityRescaling bath{.temperature = temperature,
                               .time_constant = -1 / std::log(keep),
                               .interval = 1,
                               .degrees_of_freedom = freedom,
                               .seed = 11};
  // 2 K / kT is chi-square: K has the mean f kT / 2, the variance f kT^2 / 2, and its fourth
  // central moment is (3 + 12 / f) times the variance squared.
  const double mean = 0.5 * freedom * temperature;
  const double variance = mean * temperature;
  double energy = mean, sum = 0, squares = 0, products = 0;
  for (int n = 0; n < applications; ++n) {
    const double before = energy;
    energy *= std::pow(velocity_factor(bath, energy, n), 2);
    sum += energy - mean;
    squares += (energy - mean) * (energy - mean);
    products += (energy - mean) * (before - mean);
  }
  // Values n apart are correlated by keep^n, squares by no more: that many are independent.
  const double independent = applications * (1 - keep) / (1 + keep);
  EXPECT_NEAR(sum / applications, 0, 5 * std::sqrt(variance / independent));
  EXPECT_NEAR(squares / applications / variance, 1,
              5 * std::sqrt((2 + 12.0 / freedom) / independent));
  EXPECT_NEAR(products / squares, keep, 5 * std::sqrt((2 + 12.0 / freedom) / independent));
}

INSTANTIATE_TEST_SUITE_P(Freedom, Rescaling,
                         ::testing::Combine(::testing::Values(1, 2, 3, 30, 3000),
                                            ::testing::Values(0.3, 0.9)));

/// One particle in one dimension: the scheme is then the exact solution of the Langevin equation,
/// in which a velocity is correlated with the next one by the root of the share kept (appendix A of
/// the paper). Without the sign of the factor the velocity would never change direction.
TEST(RescalingOfOneVelocity, TurnsItRoundAsLangevinDynamicsDoes) {
  constexpr double keep = 0.5;
  const VelocityRescaling bath{.temperature = temperature,
                               .time_constant = -1 / std::log(keep),
                               .interval = 1,
                               .degrees_of_freedom = 1,
                               .seed = 5};
  double velocity = 1, sum = 0, squares = 0, products = 0;  // of a mass of 1
  for (int n = 0; n < applications; ++n) {
    const double next = velocity * velocity_factor(bath, 0.5 * velocity * velocity, n);
    sum += next;
    squares += next * next;
    products += next * velocity;
    velocity = next;
  }
  const double memory = std::sqrt(keep), independent = applications * (1 - memory) / (1 + memory);
  EXPECT_NEAR(sum / applications, 0, 5 * std::sqrt(temperature / independent));
  EXPECT_NEAR(products / squares, memory, 5 / std::sqrt(independent));
}

TEST(RescalingWithoutEnd, LeavesVelocitiesAsTheyAre) {
  VelocityRescaling bath{.temperature = temperature,
                         .time_constant = 1e300,
                         .interval = 1,
                         .degrees_of_freedom = 30,
                         .seed = 5};
  for (const double energy : {1e-3, 1.0, 1e3}) EXPECT_EQ(velocity_factor(bath, energy, 4), 1);
  bath.time_constant = 1e12;  // the noise is then of the order of the root of interval / tau
  EXPECT_NEAR(velocity_factor(bath, 10, 4), 1, 1e-5);
}

TEST(RescalingOfNothing, DoesNothing) {
  VelocityRescaling bath{.temperature = 1, .time_constant = 1, .interval = 1, .seed = 5};
  EXPECT_EQ(velocity_factor(bath, 1, 0), 1) << "no degrees of freedom";
  bath.degrees_of_freedom = 3;
  EXPECT_EQ(velocity_factor(bath, 0, 0), 1);
  EXPECT_EQ(velocity_factor(bath, std::numeric_limits<double>::quiet_NaN(), 0), 1);
}

}  // namespace
}  // namespace fg::test
