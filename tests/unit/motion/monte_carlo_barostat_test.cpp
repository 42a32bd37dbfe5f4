// SPDX-License-Identifier: BSD-3-Clause
//
// The Monte Carlo barostat against the exact distribution of the volume of an ideal gas.
#include "motion/monte_carlo_barostat.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "motion/barostat.hpp"

namespace fg {
namespace {

BathState box_of(double volume) {
  const double edge = std::cbrt(volume);
  return {.box = {.edge = {edge, edge, edge}}};
}

/// exp(-P V / kT) V^N has the mean (N + 1) kT / P and the variance (N + 1) (kT / P)^2.
TEST(MonteCarloBarostat, GivesAnIdealGasItsDistribution) {
  constexpr int n = 20, trials = 400'000, skipped = 2000;
  const MonteCarloBarostat barostat{
      .pressure = 2, .temperature = 0.5, .centres = n, .interval = 10, .seed = 5};
  const double unit = barostat.temperature / barostat.pressure;
  BathState state = box_of(3 * n * unit);
  double sum = 0, squares = 0;
  std::int64_t moves = 0;
  for (int i = 1; i <= trials; ++i) {
    const std::int64_t step = 10 * i;
    const double before = state.box.volume();
    const double after = barostat.trial_volume(state, step);
    EXPECT_LE(std::abs(after - before), state.trials.size);
    if (barostat.accept(state, 0, after, step)) {
      const double factor = std::cbrt(after / before);
      state.box = scaled(state.box, {factor, factor, factor});
      ++moves;
    }
    if (i <= skipped) continue;
    sum += state.box.volume();
    squares += state.box.volume() * state.box.volume();
  }
  const double count = trials - skipped;
  const double mean = sum / count, variance = squares / count - mean * mean;
  // Steps of a size that three quarters accept decorrelate in some tens of trials: then there are
  // about 10^4 independent volumes, the mean has a relative error of 1 / sqrt(21 * 10^4) = 0.2 %
  // and the variance of sqrt(2 / 10^4) = 1.4 %. The limits are five of these.
  EXPECT_NEAR(mean, (n + 1) * unit, 0.011 * (n + 1) * unit);
  EXPECT_NEAR(variance, (n + 1) * unit * unit, 0.07 * (n + 1) * unit * unit);
  const double share = static_cast<double>(moves) / trials;
  EXPECT_GT(share, 0.25);
  EXPECT_LT(share, 0.8);
}

TEST(MonteCarloBarostat, AcceptsNoEnergyThatIsNotANumber) {
  const MonteCarloBarostat barostat{
      .pressure = 0, .temperature = 1, .centres = 1, .interval = 10, .seed = 5};
  for (std::int64_t step = 10; step < 1000; step += 10) {
    BathState state = box_of(1);
    EXPECT_FALSE(barostat.accept(state, std::numeric_limits<double>::quiet_NaN(), 1.01, step));
    EXPECT_FALSE(barostat.accept(state, 1e3, 1.01, step));
    EXPECT_TRUE(barostat.accept(state, -1e3, 1.01, step));
  }
}

}  // namespace
}  // namespace fg
