// SPDX-License-Identifier: BSD-3-Clause
//
// Chains of Nose and Hoover: the order of their steps, their conserved energy, their reversal, and
// the canonical distribution of an oscillator, which one link alone does not give.
#include "ab_initio/motion/nose_hoover.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "base/error.hpp"
#include "support/effort.hpp"
#include "support/expect_refused.hpp"

namespace fg::test {
namespace {

/// An oscillator of mass 1 and frequency 1 in a bath.
class Oscillator {
 public:
  explicit Oscillator(const NoseHooverSettings& settings) : chain(settings) {}

  void step(double timestep) {
    v *= chain.advance(0.5 * v * v, 0.5 * timestep);
    v -= 0.5 * timestep * x;
    x += timestep * v;
    v -= 0.5 * timestep * x;
    v *= chain.advance(0.5 * v * v, 0.5 * timestep);
  }
  double conserved() const { return 0.5 * (v * v + x * x) + chain.energy(); }
  void turn_round() {
    NoseHooverState state = chain.state();
    for (double& u : state.velocities) u = -u;
    chain.restore(state);
    v = -v;
  }

  NoseHooverChain chain;
  double x = 1.2, v = 0.3;
};

constexpr NoseHooverSettings usual{
    .temperature = 0.8, .degrees_of_freedom = 1, .time_constant = 1, .links = 3};

/// The equations of motion of chain and kinetic energy, without potential: K' = -2 K u_1.
std::vector<double> rates(const NoseHooverSettings& s, const std::vector<double>& y) {
  const std::size_t links = static_cast<std::size_t>(s.links);  // y: K, x_j, u_j
  std::vector<double> rate(y.size());
  const double* u = &y[1 + links];
  const double unit = s.temperature * s.time_constant * s.time_constant;
  rate[0] = -2 * y[0] * u[0];
  for (std::size_t j = 0; j < links; ++j) {
    rate[1 + j] = u[j];
    const double before = j == 0   ? 2 * y[0] - s.degrees_of_freedom * s.temperature
                          : j == 1 ? s.degrees_of_freedom * unit * u[0] * u[0] - s.temperature
                                   : unit * u[j - 1] * u[j - 1] - s.temperature;
    rate[1 + links + j] = before / (j == 0 ? s.degrees_of_freedom * unit : unit);
    if (j + 1 < links) rate[1 + links + j] -= u[j] * u[j + 1];
  }
  return rate;
}

/// The classical scheme of Runge and Kutta, of fourth order.
std::vector<double> solution(const NoseHooverSettings& s, std::vector<double> y, double time) {
  constexpr int steps = 4000;
  const double h = time / steps;
  const auto moved = [](std::vector<double> from, double by, const std::vector<double>& rate) {
    for (std::size_t i = 0; i < from.size(); ++i) from[i] += by * rate[i];
    return from;
  };
  for (int n = 0; n < steps; ++n) {
    const auto a = rates(s, y), b = rates(s, moved(y, h / 2, a)), c = rates(s, moved(y, h / 2, b)),
               d = rates(s, moved(y, h, c));
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
  }
  return y;
}

/// The error after time 1 in this number of steps, each in `parts`.
double error_of_steps(int parts, int steps) {
  NoseHooverSettings s = usual;
  s.degrees_of_freedom = 3, s.links = 4, s.weights = parts;
  s.time_constant = 8;  // so long that no step is cut
  NoseHooverChain chain(s);
  const std::vector<double> x{0.1, -0.2, 0.3, 0}, u{0.5, -0.4, 0.3, 0.2};
  chain.restore({.positions = x, .velocities = u});
  double kinetic = 2.1;
  std::vector<double> y{kinetic};
  y.insert(y.end(), x.begin(), x.end());
  y.insert(y.end(), u.begin(), u.end());
  const auto right = solution(s, y, 1);
  for (int n = 0; n < steps; ++n) {
    const double factor = chain.advance(kinetic, 1.0 / steps);
    kinetic *= factor * factor;
  }
  double error = std::abs(kinetic - right[0]);
  for (std::size_t j = 0; j < 4; ++j)
    error = std::max({error, std::abs(chain.state().positions[j] - right[1 + j]),
                      std::abs(chain.state().velocities[j] - right[5 + j])});
  return error;
}

TEST(NoseHoover, StepsHaveTheOrderOfTheirWeights) {
  // Half the step divides the error by 2^order; bounds for orders that are met nearly.
  const auto ratio = [](int parts) { return error_of_steps(parts, 4) / error_of_steps(parts, 8); };
  EXPECT_NEAR(ratio(1), 4, 0.6);
  EXPECT_NEAR(ratio(3), 16, 5);
  EXPECT_NEAR(ratio(5), 16, 5);
  EXPECT_NEAR(ratio(7), 64, 25);
  EXPECT_LT(error_of_steps(7, 16), 1e-6);
}

TEST(NoseHoover, WeightsCancelTheErrorsOfLowOrder) {
  for (const int parts : {1, 3, 5, 7}) {
    double sum = 0, cubes = 0, fifths = 0;
    for (const double w : suzuki_yoshida_weights(parts))
      sum += w, cubes += std::pow(w, 3), fifths += std::pow(w, 5);
    EXPECT_NEAR(sum, 1, 1e-15) << parts;
    // The published weights of 7 parts have 14 or 15 digits, and the largest counts five times.
    if (parts > 1) {
      EXPECT_NEAR(cubes, 0, 1e-13) << parts;
    }
    if (parts > 5) {
      EXPECT_NEAR(fifths, 0, 1e-13);
    }
  }
}

/// The largest deviation of the conserved energy in a time of 50.
double deviation(double timestep) {
  Oscillator oscillator(usual);
  const double start = oscillator.conserved();
  double largest = 0;
  for (double time = 0; time < 50; time += timestep) {
    oscillator.step(timestep);
    largest = std::max(largest, std::abs(oscillator.conserved() - start));
  }
  return largest;
}

TEST(NoseHoover, ConservesItsEnergyToSecondOrder) {
  // Energies of order 1 times the square of the step, 6e-4.
  EXPECT_LT(deviation(0.025), 6e-4);
  EXPECT_NEAR(deviation(0.05) / deviation(0.025), 4, 0.3);
}

TEST(NoseHoover, GoesBackTheWayItCame) {
  Oscillator oscillator(usual);
  constexpr int steps = 400;
  for (int n = 0; n < steps; ++n) oscillator.step(0.05);
  EXPECT_GT(std::abs(oscillator.x - 1.2), 1e-3);
  oscillator.turn_round();
  for (int n = 0; n < steps; ++n) oscillator.step(0.05);
  // The motion is chaotic: rounding grows, here by less than a factor of 1e5.
  EXPECT_NEAR(oscillator.x, 1.2, 1e-10);
  EXPECT_NEAR(oscillator.v, -0.3, 1e-10);
  EXPECT_NEAR(oscillator.chain.state().positions[0], 0, 1e-10);
}

TEST(NoseHoover, GoesOnFromASavedState) {
  Oscillator one(usual), other(usual);
  for (int n = 0; n < 100; ++n) one.step(0.05);
  other.chain.restore(one.chain.state());
  other.x = one.x, other.v = one.v;
  for (int n = 0; n < 100; ++n) one.step(0.05), other.step(0.05);
  EXPECT_EQ(one.x, other.x);
  EXPECT_EQ(one.chain.state(), other.chain.state());
}

/// Means of a long run, with the standard error of each from the scatter of blocks.
struct Moments {
  static constexpr int count = 4;  // x^2, x^4, v^2, v^4
  std::array<double, count> mean{}, error{};
};

Moments moments(int links) {
  NoseHooverSettings settings = usual;
  settings.links = links;
  Oscillator oscillator(settings);
  constexpr int blocks = 40;
  const long steps = effort(20'000);
  Moments result;
  std::array<double, Moments::count> squares{};
  for (int block = 0; block < blocks; ++block) {
    std::array<double, Moments::count> sum{};
    for (long n = 0; n < steps; ++n) {
      oscillator.step(0.1);
      const double x2 = oscillator.x * oscillator.x, v2 = oscillator.v * oscillator.v;
      sum[0] += x2, sum[1] += x2 * x2, sum[2] += v2, sum[3] += v2 * v2;
    }
    for (int i = 0; i < Moments::count; ++i) {
      const double mean = sum[i] / static_cast<double>(steps);
      result.mean[i] += mean / blocks;
      squares[i] += mean * mean / blocks;
    }
  }
  for (int i = 0; i < Moments::count; ++i)
    result.error[i] = std::sqrt((squares[i] - result.mean[i] * result.mean[i]) / (blocks - 1));
  return result;
}

constexpr double kt = usual.temperature;
/// Moments of normal distributions of variance kT; velocity Verlet narrows or widens them by (w
/// dt)^2 / 4 at most: 0.25 % at this step, 0.5 % in fourth moments.
constexpr std::array<double, Moments::count> canonical = {kt, 3 * kt* kt, kt, 3 * kt* kt};
constexpr std::array<double, Moments::count> step_error = {0.0025, 0.005, 0.0025, 0.005};

TEST(NoseHoover, GivesTheCanonicalDistributionOfAnOscillator) {
  for (const int links : {3, 4}) {
    const Moments run = moments(links);
    for (int i = 0; i < Moments::count; ++i) {
      // Five standard errors of 40 blocks: Student's distribution exceeds them once in 8e4 runs.
      EXPECT_NEAR(run.mean[i], canonical[i], 5 * run.error[i] + step_error[i] * canonical[i])
          << links << " " << i;
      EXPECT_LT(run.error[i], 0.02 * canonical[i]) << "too short a run shows nothing";
    }
  }
}

TEST(NoseHoover, OfOneLinkDoesNot) {
  const Moments run = moments(1);
  EXPECT_GT(std::abs(run.mean[1] - canonical[1]), 0.1 * canonical[1]);
}

TEST(NoseHoover, OfOrbitalsAimsAtTheirKineticEnergy) {
  const auto settings = nose_hoover_of_orbitals(0.02, 400, 50, 4);
  EXPECT_DOUBLE_EQ(settings.degrees_of_freedom * settings.temperature, 0.04);
  NoseHooverChain chain(settings);
  // At its target the first link stays at rest while the others begin to move.
  EXPECT_EQ(chain.advance(0.02, 1e-3), 1);
  EXPECT_LT(chain.advance(0.03, 1), 1);
}

TEST(NoseHoover, RefusesSettingsAndStatesThatMakeNoSense) {
  const auto refuse = [](auto change, const char* because) {
    NoseHooverSettings settings = usual;
    change(settings);
    expect_refused<InputError>([&] { NoseHooverChain{settings}; }, because);
  };
  refuse([](auto& s) { s.temperature = 0; }, "temperature");
  refuse([](auto& s) { s.degrees_of_freedom = 0; }, "degree of freedom");
  refuse([](auto& s) { s.time_constant = -1; }, "time constant");
  refuse([](auto& s) { s.links = 0; }, "no link");
  refuse([](auto& s) { s.weights = 2; }, "1, 3, 5 or 7");
  EXPECT_THROW(nose_hoover_of_orbitals(0, 10, 1, 1), InputError);
  EXPECT_THROW(nose_hoover_of_orbitals(1, 0, 1, 1), InputError);

  NoseHooverChain chain(usual);
  const auto restore = [&](NoseHooverState state, const char* because) {
    expect_refused<InputError>([&] { chain.restore(state); }, because);
  };
  restore({.positions = {0}, .velocities = {0}}, "another number of links");
  restore({.positions = {0, 0, 0}, .velocities = {0, 0, std::nan("")}}, "not finite");
  expect_refused<NumericsError>([&] { static_cast<void>(chain.advance(std::nan(""), 1)); },
                                "not finite");
  expect_refused<NumericsError>([&] { static_cast<void>(chain.advance(1e200, 1e3)); },
                                "lost its way");
}

}  // namespace
}  // namespace fg::test
