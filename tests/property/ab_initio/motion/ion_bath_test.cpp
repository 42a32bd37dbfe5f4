// SPDX-License-Identifier: BSD-3-Clause
//
// Heat baths of ions in plain arrays: the canonical kinetic and potential energy, the conserved
// sum, the same bits from a saved state, and what each leaves alone.
#include "ab_initio/motion/ion_bath.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "base/error.hpp"
#include "base/units.hpp"
#include "support/effort.hpp"
#include "support/expect_refused.hpp"

namespace fg::test {
namespace {

constexpr double temperature = 300 / units::hartree_in_kelvin, timestep = 20;
constexpr std::uint64_t seed = 5;

/// Ions of different masses in wells that are not harmonic: k r^2 / 2 + q r^4 / 4.
class Ions {
 public:
  Ions() {
    for (const double dalton : {1.0, 2.0, 16.0, 28.0})
      masses.push_back(dalton / units::electron_mass_in_dalton);
    positions = {{0.1, 0, 0}, {0, 0.2, 0.1}, {0.1, -0.1, 0}, {0, 0, 0.15}};
    velocities.assign(4, {});
    for (std::size_t i = 0; i < 4; ++i)
      velocities[i] =
          std::sqrt(temperature / masses[i]) * Vec3{1, -0.5, 0.2 * static_cast<double>(i)};
  }
  MovingIons moving() { return {masses, positions, velocities}; }
  double potential() const {
    double sum = 0;
    for (const Vec3& r : positions) sum += 0.5 * k * dot(r, r) + 0.25 * q * dot(r, r) * dot(r, r);
    return sum;
  }
  /// sum of r . dU/dr, whose mean is 3 N kT.
  double virial() const {
    double sum = 0;
    for (const Vec3& r : positions) sum += k * dot(r, r) + q * dot(r, r) * dot(r, r);
    return sum;
  }
  void kick() {
    for (std::size_t i = 0; i < masses.size(); ++i)
      velocities[i] +=
          -0.5 * timestep / masses[i] * (k + q * dot(positions[i], positions[i])) * positions[i];
  }
  void step(IonBath& bath, std::int64_t n) {
    bath.begin(n, moving());
    kick();
    bath.drift(n, moving());
    kick();
    bath.end(n, moving());
  }

  std::vector<double> masses;
  std::vector<Vec3> positions, velocities;

 private:
  static constexpr double k = 0.02, q = 0.05;
};

using Maker = std::function<std::unique_ptr<IonBath>()>;

struct Named {
  const char* name;
  Maker make;
};

class IonBaths : public testing::TestWithParam<Named> {};

constexpr double time_constant = 400;

std::unique_ptr<IonBath> nose_hoover() {
  return nose_hoover_ion_bath(
      timestep,
      {.temperature = temperature, .degrees_of_freedom = 12, .time_constant = time_constant});
}
std::unique_ptr<IonBath> rescaling() {
  return rescaling_ion_bath(timestep, {temperature, time_constant, seed}, 12);
}
std::unique_ptr<IonBath> langevin() {
  return langevin_ion_bath(timestep, {temperature, time_constant, seed});
}

INSTANTIATE_TEST_SUITE_P(Kinds, IonBaths,
                         testing::Values(Named{"nose_hoover", nose_hoover},
                                         Named{"rescaling", rescaling},
                                         Named{"langevin", langevin}),
                         [](const auto& kind) { return kind.param.name; });

TEST_P(IonBaths, GiveTheCanonicalDistribution) {
  Ions ions;
  const auto bath = GetParam().make();
  // The mean of 2 K and of the virial is 12 kT, the variance of 2 K is 24 kT^2.
  constexpr int blocks = 40;
  const long steps = effort(10'000);
  constexpr double expected[] = {12, 12, 24};
  double mean[3] = {}, squares[3] = {};
  std::int64_t n = 0;
  for (int block = 0; block < blocks; ++block) {
    double sum[3] = {};
    for (long i = 0; i < steps; ++i) {
      ions.step(*bath, n++);
      const double kinetic = 2 * kinetic_energy(ions.moving()) / temperature;
      sum[0] += kinetic;
      sum[1] += ions.virial() / temperature;
      sum[2] += (kinetic - 12) * (kinetic - 12);
    }
    for (int m = 0; m < 3; ++m) {
      const double value = sum[m] / static_cast<double>(steps);
      mean[m] += value / blocks;
      squares[m] += value * value / blocks;
    }
  }
  for (int m = 0; m < 3; ++m) {
    const double error = std::sqrt((squares[m] - mean[m] * mean[m]) / (blocks - 1));
    // Five standard errors of 40 blocks: Student's distribution exceeds them once in 8e4 runs. The
    // step adds (omega dt)^2 / 4 of the lightest ion, 0.4 % of its share: below 0.2 % of all, and
    // twice that in the variance.
    EXPECT_NEAR(mean[m], expected[m], 5 * error + 0.004 * expected[m]) << m;
    EXPECT_LT(error, 0.02 * expected[m]) << "too short a run shows nothing";
  }
}

TEST_P(IonBaths, ConserveTheSumWithTheirEnergy) {
  Ions ions;
  const auto bath = GetParam().make();
  const auto conserved = [&] {
    return kinetic_energy(ions.moving()) + ions.potential() + bath->energy();
  };
  const double start = conserved();
  double largest = 0, largest_given = 0;
  for (std::int64_t n = 0; n < 2000; ++n) {
    ions.step(*bath, n);
    largest = std::max(largest, std::abs(conserved() - start));
    largest_given = std::max(largest_given, std::abs(bath->energy()));
  }
  // 12 degrees of freedom share 12 kT; the step makes it fluctuate by less than 1 % of this, while
  // the bath gives and takes much more.
  EXPECT_LT(largest, 0.12 * temperature);
  EXPECT_GT(largest_given, temperature);
}

TEST_P(IonBaths, GoOnFromASavedStateWithTheSameBits) {
  Ions ions;
  const auto bath = GetParam().make();
  for (std::int64_t n = 0; n < 50; ++n) ions.step(*bath, n);
  Ions copy = ions;
  const auto other = GetParam().make();
  other->restore(bath->state());
  EXPECT_EQ(other->energy(), bath->energy());
  for (std::int64_t n = 50; n < 100; ++n) ions.step(*bath, n), copy.step(*other, n);
  EXPECT_EQ(ions.positions, copy.positions);
  EXPECT_EQ(ions.velocities, copy.velocities);
  EXPECT_EQ(bath->state(), other->state());
}

TEST(IonBath, WithoutOneIsVelocityVerlet) {
  Ions ions;
  const auto bath = no_ion_bath(timestep);
  const auto energy = [&] { return kinetic_energy(ions.moving()) + ions.potential(); };
  const double start = energy();
  const Ions first = ions;
  for (std::int64_t n = 0; n < 500; ++n) ions.step(*bath, n);
  EXPECT_NEAR(energy(), start, 0.01 * start);
  EXPECT_EQ(bath->energy(), 0);
  for (Vec3& v : ions.velocities) v = -v;
  for (std::int64_t n = 0; n < 500; ++n) ions.step(*bath, n);
  // Rounding alone keeps the way back from the way there.
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_LT(norm(ions.positions[i] - first.positions[i]), 1e-11);
}

TEST(LangevinIonBath, WithoutTemperatureIsFriction) {
  Ions ions;
  const auto bath = langevin_ion_bath(timestep, {0, time_constant, seed});
  const Vec3 before = ions.velocities[1];
  bath->drift(0, ions.moving());
  EXPECT_NEAR(norm(ions.velocities[1] - std::exp(-timestep / time_constant) * before), 0, 1e-18);
}

TEST(IonBath, RefusesWhatMakesNoSense) {
  const auto refuse = [](const std::function<void()>& make, const char* because) {
    expect_refused<InputError>(make, because);
  };
  refuse([] { no_ion_bath(0); }, "time step");
  refuse([] { rescaling_ion_bath(timestep, {temperature, 19, seed}, 12); }, "time constant");
  refuse([] { rescaling_ion_bath(timestep, {0, 100, seed}, 12); }, "temperature");
  refuse([] { rescaling_ion_bath(timestep, {temperature, 100, seed}, 0); }, "degree of freedom");
  refuse([] { langevin_ion_bath(timestep, {-1, 100, seed}); }, "temperature");
  refuse([] { langevin_ion_bath(timestep, {temperature, std::nan(""), seed}); }, "time constant");
  refuse([] { nose_hoover_ion_bath(timestep, {temperature, 12, 1}); }, "time constant");
  refuse([] { langevin()->restore(nose_hoover()->state()); }, "chain of Nose and Hoover");
  refuse([] { nose_hoover()->restore(langevin()->state()); }, "another number of links");
  refuse([] { rescaling()->restore({.chain = {}, .heat = std::nan("")}); }, "not finite");
}

TEST_P(IonBaths, RefuseVelocitiesThatAreNotFinite) {
  Ions ions;
  ions.velocities[2].y = std::numeric_limits<double>::infinity();
  const auto bath = GetParam().make();
  expect_refused<NumericsError>([&] { ions.step(*bath, 7); }, "not finite");
}

}  // namespace
}  // namespace fg::test
