// SPDX-License-Identifier: BSD-3-Clause
//
// Barostats on systems whose pressure is a formula: the distribution of the box against the exact
// one. The bounds are five standard errors, one in 6e5 seeds would fail in each, and the bias of
// the finite interval, which is given beside them. Seeds are fixed. Units: as in the engine; the
// numbers are chosen for their ratios.
#include "motion/barostat.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <random>

namespace fg::test {
namespace {

constexpr double edge = 100, volume = edge * edge * edge;
constexpr double temperature = 1e-3;
constexpr int scalings = 1'000'000;

/// Mean and variance of a series.
class Moments {
 public:
  void add(double value) noexcept { sum_ += value, squares_ += value * value, ++count_; }
  double mean() const noexcept { return sum_ / count_; }
  double variance() const noexcept { return squares_ / count_ - mean() * mean(); }

 private:
  double sum_ = 0, squares_ = 0;
  int count_ = 0;
};

BathState cube() {
  BathState state;
  state.box.edge = {edge, edge, edge};
  return state;
}

/// Scales the box of `state` many times; `sample` is the pressure's, from the box before.
void scale_often(const BarostatSettings& settings, BathState& state,
                 const std::function<PressureSample(const Box&)>& sample,
                 const std::function<void(const Box&)>& see) {
  const auto barostat = make_barostat(settings);
  for (int n = 1; n <= scalings; ++n) {
    const Vec3 strain = barostat->strain(state, sample(state.box), n);
    state.box = scaled(state.box, {std::exp(strain.x), std::exp(strain.y), std::exp(strain.z)});
    see(state.box);
  }
}

/// A solid of which each edge pulls back by itself: P_a V = P V - kT (1 + k e_a), e = log edge.
/// With the mobility b / (3 tau) and the diffusion D = kT b / (3 tau V) of each logarithm, drift =
/// D (d log rho / d e - 1), so that rho = exp(-k e^2 / 2): the variance is 1/k of an edge by
/// itself, 1/(2 k) of two and 1/(3 k) of three edges together. (The 1 is the drift of a diffusion
/// that depends on the volume.)
class RescaledSolid : public ::testing::TestWithParam<BoxCoupling> {};

TEST_P(RescaledSolid, HasTheExactFluctuationsOfEachEdge) {
  constexpr double stiffness = 1e4, pressure = 3e-6;
  constexpr double share = 0.05;  // of the relaxation, per interval
  const BarostatSettings settings{.kind = BarostatKind::stochastic_rescaling,
                                  .coupling = GetParam(),
                                  .pressure = pressure,
                                  .temperature = temperature,
                                  .compressibility = 3 * volume / (temperature * stiffness),
                                  .time_constant = 1,
                                  .interval = share,
                                  .interval_steps = 1,
                                  .seed = 9};
  BathState state = cube();
  Moments moments[3];
  const auto sample = [&](const Box& box) {
    PressureSample result;
    for (int a = 0; a < 3; ++a) {
      const double inner =
          pressure * box.volume() - temperature * (1 + stiffness * std::log(box.edge[a] / edge));
      result.motion[a] = 2 * temperature;  // only the sum counts
      result.virial[a] = inner - 2 * temperature;
    }
    return result;
  };
  scale_often(settings, state, sample, [&](const Box& box) {
    for (int a = 0; a < 3; ++a) moments[a].add(std::log(box.edge[a] / edge));
    if (GetParam() == BoxCoupling::isotropic) {
      ASSERT_DOUBLE_EQ(box.edge.x, box.edge.z);
    }
    if (GetParam() != BoxCoupling::anisotropic) {
      ASSERT_DOUBLE_EQ(box.edge.x, box.edge.y);
    }
  });
  for (int a = 0; a < 3; ++a) {
    int alike = 1;
    if (GetParam() == BoxCoupling::isotropic) alike = 3;
    if (GetParam() == BoxCoupling::semi_isotropic && a < 2) alike = 2;
    // The mean of two intervals' noise makes this exact for an interval of any length.
    const double exact = 1 / (alike * stiffness);
    const double independent = scalings * share;
    // That the diffusion follows the volume shifts the mean by less than a variance.
    EXPECT_NEAR(moments[a].mean(), 0, 5 * std::sqrt(2 * exact / independent) + exact) << a;
    EXPECT_NEAR(moments[a].variance() / exact, 1, 5 * std::sqrt(2 / independent) + 2e-3) << a;
  }
}

INSTANTIATE_TEST_SUITE_P(Couplings, RescaledSolid,
                         ::testing::Values(BoxCoupling::isotropic, BoxCoupling::semi_isotropic,
                                           BoxCoupling::anisotropic));

/// N fragments without forces, their motion drawn again each time: the volume is distributed as V^N
/// exp(-P V / kT), with the mean (N + 1) kT / P and the variance (N + 1) (kT / P)^2.
TEST(RescaledIdealGas, HasTheExactVolumes) {
  constexpr int fragments = 100;
  constexpr double share = 0.01, pressure = fragments * temperature / volume;
  const BarostatSettings settings{.kind = BarostatKind::stochastic_rescaling,
                                  .pressure = pressure,
                                  .temperature = temperature,
                                  .compressibility = 1 / pressure,
                                  .time_constant = 1,
                                  .interval = share,
                                  .interval_steps = 1,
                                  .seed = 4};
  BathState state = cube();
  std::mt19937_64 random(8);
  std::gamma_distribution<double> chi_square(0.5 * fragments, 2.0);
  const auto sample = [&](const Box&) {
    PressureSample result;
    for (int a = 0; a < 3; ++a) result.motion[a] = temperature * chi_square(random);
    return result;
  };
  Moments moments;
  scale_often(settings, state, sample, [&](const Box& box) { moments.add(box.volume()); });
  const double unit = temperature / pressure, independent = scalings * share;
  EXPECT_NEAR(moments.mean() / unit, fragments + 1,
              5 * std::sqrt(2 * (fragments + 1) / independent));
  // Bias: share / 3, because each new draw of the motion adds noise.
  EXPECT_NEAR(moments.variance() / (unit * unit * (fragments + 1)), 1,
              5 * std::sqrt(2 / independent) + share);
}

BarostatSettings piston() {
  constexpr double bulk_modulus = 1e-5;  // the volume's deviation is then 1 %
  return {.kind = BarostatKind::langevin_piston,
          .pressure = 3e-6,
          .temperature = temperature,
          .compressibility = 1 / bulk_modulus,
          .time_constant = 0.5,
          .period = 2 * std::numbers::pi,  // a frequency of 1
          .interval = 0.1,
          .interval_steps = 10,
          .spacing_steps = 2,
          .volume = volume,
          .seed = 6};
}

/// The pressure that makes the volume an oscillator with the piston's own period.
PressureSample spring(const BarostatSettings& s, const Box& box) {
  const double v = box.volume();
  const double pressure = s.pressure - (v - s.volume) / (s.compressibility * s.volume);
  const double third = pressure * v;
  return {.motion = {0.5 * third, third, 1.5 * third}, .virial = {0, 0, 0}};
}

/// Gaussian, of the variance kT b V, for an interval of any length: here omega h is 0.5, with which
/// leapfrog with friction between its kicks would have a variance larger by (omega h)^2 / 4 = 6 %.
TEST(Piston, GivesTheExactVolumesOfASpring) {
  BarostatSettings settings = piston();
  settings.interval = 0.5;
  BathState state = cube();
  Moments volumes, rates;
  scale_often(
      settings, state, [&](const Box& box) { return spring(settings, box); },
      [&](const Box& box) {
        volumes.add(box.volume());
        rates.add(state.volume_rate);
      });
  const double exact = temperature * settings.compressibility * volume;
  const double independent = scalings * settings.interval / 4;  // relaxation within 2 time units
  EXPECT_NEAR(volumes.mean(), volume, 5 * std::sqrt(exact / independent));
  EXPECT_NEAR(volumes.variance() / exact, 1, 5 * std::sqrt(2 / independent));
  EXPECT_NEAR(rates.variance() / exact, 1, 5 * std::sqrt(2 / independent));  // omega = 1
}

/// Without noise and friction the piston's energy and that of the spring are constant, but for the
/// error of leapfrog, which is bounded by (omega h)^2 times the energy.
TEST(Piston, KeepsItsEnergyWithoutNoise) {
  BarostatSettings settings = piston();
  settings.temperature = 0;
  settings.time_constant = 1e300;
  const auto barostat = make_barostat(settings);
  BathState state = cube();
  state.box.edge *= 1.005;
  const double amplitude = state.box.volume() - volume;
  const double modulus = 1 / (settings.compressibility * volume);
  const double energy = 0.5 * modulus * amplitude * amplitude;
  double first = 0, worst = 0;
  for (int n = 1; n <= 10000; ++n) {
    const BathState before = state;
    const Vec3 strain = barostat->strain(state, spring(settings, state.box), n);
    BathState next = state;
    next.box = scaled(state.box, {std::exp(strain.x), std::exp(strain.y), std::exp(strain.z)});
    const double deviation = before.box.volume() - volume;
    const double mass = std::pow(settings.period / (2 * std::numbers::pi), 2) * modulus;
    const double total =
        0.5 * modulus * deviation * deviation + 0.5 * mass * before.volume_rate * next.volume_rate;
    if (n == 2) first = total;  // the rate before the first interval is that of a piston at rest
    if (n > 2) worst = std::fmax(worst, std::abs(total - first));
    state = next;
  }
  EXPECT_LT(worst, std::pow(settings.interval, 2) * energy);
}

TEST(Barostats, HaveNoStrainToGiveWithoutANumber) {
  for (const auto kind : {BarostatKind::stochastic_rescaling, BarostatKind::langevin_piston}) {
    BarostatSettings settings = piston();
    settings.kind = kind;
    BathState state = cube();
    PressureSample sample = spring(settings, state.box);
    sample.virial.y = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(std::isnan(make_barostat(settings)->strain(state, sample, 1).y));
  }
}

TEST(Piston, ThatWouldCrossItsOwnFloorHasNoStrain) {
  const BarostatSettings settings = piston();
  BathState state = cube();
  state.volume_rate = -2 * volume / settings.interval;
  EXPECT_TRUE(std::isnan(make_barostat(settings)->strain(state, spring(settings, state.box), 1).x));
}

TEST(NoBarostat, IsNone) {
  EXPECT_EQ(make_barostat({}), nullptr);
}

/// The vectors of a tilted cell are multiplied, component by component.
TEST(ScaledBox, ScalesTheTiltsAsPositions) {
  const Box box{.edge = {10, 8, 6}, .tilt = {1, -2, 3}};
  const Box big = scaled(box, {2, 3, 5});
  for (int vector = 0; vector < 3; ++vector) {
    const Vec3 before = box.vector(vector), after = big.vector(vector);
    EXPECT_EQ(after.x, 2 * before.x);
    EXPECT_EQ(after.y, 3 * before.y);
    EXPECT_EQ(after.z, 5 * before.z);
  }
}

}  // namespace
}  // namespace fg::test
