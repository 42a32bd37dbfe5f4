// SPDX-License-Identifier: BSD-3-Clause
//
// The Langevin integrator: a damped spring without noise against its closed form, and with noise
// the kinetic energy of free atoms and of constrained fragments against the canonical distribution.
// Statistical bounds hold with a false-alarm rate of 1e-6 over the choice of seed; seeds are fixed.
// Units: Hartree atomic units.
#include "motion/langevin.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "motion/initial_velocities.hpp"
#include "motion/kinetic.hpp"
#include "support/classical/soft_cluster.hpp"

namespace fg::test {
namespace {

// |standard normal| exceeds this with probability 1e-6.
constexpr double one_in_a_million = 4.8916;

TEST(LangevinWithoutNoise, IsADampedOscillator) {
  // x'' = -omega^2 x - gamma x': x = e^(-gamma t/2) (cos w t + gamma/(2 w) sin w t), x(0) = 1.
  const auto error = [](double dt) {
    SmallSystem system = SystemMaker(1, 5.0).make({.free_atoms = 1});
    const PatchConstraints none = place_all(system);
    const double omega = 1e-3, gamma = 4e-4, mass = system.mass[0];
    const int slot = system.slot_of_atom[0];
    const double w = std::sqrt(omega * omega - gamma * gamma / 4);
    system.atoms.set_position(slot, {1, 0, 0});
    // Velocities are half a kick behind; start them at the right value.
    system.atoms.set_velocity(slot, {0.5 * dt * omega * omega, 0, 0});
    double heat = 0;
    double worst = 0;
    const int steps = static_cast<int>(std::lround(10000 / dt));
    for (int n = 1; n <= steps; ++n) {
      system.atoms.set_force(slot, -mass * omega * omega * system.atoms.position_of(slot));
      EXPECT_TRUE(langevin_middle_step(system.atoms, none, {dt, 0.0, gamma, 1}, n, heat).ok());
      const double t = n * dt;
      const double want =
          std::exp(-gamma * t / 2) * (std::cos(w * t) + gamma / (2 * w) * std::sin(w * t));
      worst = std::fmax(worst, std::abs(system.atoms.position_of(slot).x - want));
    }
    return worst;
  };
  const double coarse = error(100), fine = error(50);
  EXPECT_LT(fine, 2e-3);                 // (omega dt)^2 = 2.5e-3
  EXPECT_NEAR(coarse / fine, 4.0, 0.4);  // second order; the next term is (omega dt)^2 of it
}

/// Chi-square with many degrees of freedom as a standard normal (Wilson and Hilferty).
double chi_square_as_normal(double chi2, double freedom) {
  const double k = 2.0 / (9.0 * freedom);
  return (std::cbrt(chi2 / freedom) - (1.0 - k)) / std::sqrt(k);
}

TEST(InitialVelocities, HaveTheCanonicalKineticEnergyOfTheFreeDirections) {
  SmallSystem system = SystemMaker(2, 30.0).make(
      {.waters = 700, .stars = {100, 100, 100, 100}, .triangles = 50, .free_atoms = 100});
  const PatchConstraints constraints = place_all(system);
  const double temperature = 300 * kelvin;
  ASSERT_TRUE(draw_velocities(system.atoms, constraints, temperature, 3).ok());
  // 2 K / kT is chi-square with as many degrees as there are directions.
  const int freedom = degrees_of_freedom(system.size(), constraints.count(), CentreOfMass::moves);
  const double chi2 = 2 * kinetic_energy(system.atoms) / temperature;
  EXPECT_LT(std::abs(chi_square_as_normal(chi2, freedom)), one_in_a_million);
}

TEST(LangevinKineticEnergy, OfRigidFragmentsIsChiSquare) {
  // Fragments on springs, far apart: after each decorrelating stretch the kinetic energy is a new
  // draw. gamma dt = 0.5 keeps e^-2.5 < 0.09 of a velocity over 5 steps and its energy 0.7 %.
  SmallSystem system =
      SystemMaker(3, 40.0).make({.waters = 60, .stars = {10, 10, 10, 10}, .free_atoms = 40});
  const PatchConstraints constraints = place_all(system);
  const double temperature = 300 * kelvin;
  const LangevinParameters parameters{1 * femtosecond, temperature, 0.5 / femtosecond, 17};
  const SoftCluster springs{.spring = 1e-3, .repulsion = 0};
  const int freedom = degrees_of_freedom(system.size(), constraints.count(), CentreOfMass::moves);

  constexpr int samples = 1500, stride = 5, bins = 16;
  std::vector<int> count(bins, 0);
  double sum = 0, squares = 0;
  ASSERT_TRUE(draw_velocities(system.atoms, constraints, temperature, 4).ok());
  double heat = 0;
  std::int64_t step = 0;
  for (int i = 0; i < samples; ++i) {
    for (int k = 0; k < stride; ++k) {
      springs(system);
      ASSERT_TRUE(langevin_middle_step(system.atoms, constraints, parameters, ++step, heat).ok());
    }
    // The velocities after the step, on the constraints of the positions after the step.
    MovingAtoms here = system.atoms;
    ASSERT_TRUE(constraints.apply_to_velocities(here).ok());
    const double z = chi_square_as_normal(2 * kinetic_energy(here) / temperature, freedom);
    sum += z;
    squares += z * z;
    ++count[std::min(bins - 1, static_cast<int>(bins * 0.5 * std::erfc(-z / std::sqrt(2.0))))];
  }
  // Mean, variance and shape of a standard normal. The kinetic energy's correlation time adds at
  // most (1 + 0.007) / (1 - 0.007) to the variance of the mean; the bound is 2 % wider for it, and
  // for the scheme's own bias of order (omega dt)^2 = 4e-4 in temperature, 0.02 in z.
  const double bound = 1.02 * one_in_a_million;
  EXPECT_LT(std::abs(sum / samples), bound / std::sqrt(double(samples)) + 0.02);
  EXPECT_LT(std::abs(squares / samples - 1), bound * std::sqrt(2.0 / samples) + 0.02);
  double chi2 = 0;
  for (const int c : count) {
    const double expected = double(samples) / bins;
    chi2 += (c - expected) * (c - expected) / expected;
  }
  EXPECT_LT(chi_square_as_normal(chi2, bins - 1), bound);
}

TEST(LangevinPositions, OfASpringHaveTheCanonicalWidth) {
  // The middle scheme samples a harmonic oscillator's positions exactly at any timestep:
  // Zhang et al., J. Phys. Chem. A 123, 6056 (2019), section 2.
  SmallSystem system = SystemMaker(5, 100.0).make({.free_atoms = 400});
  const PatchConstraints none = place_all(system);
  const double temperature = 300 * kelvin, spring = 0.05;
  const double omega = std::sqrt(spring / system.mass[0]);
  const double dt = 1.0 / omega;  // far too long for anything else
  const LangevinParameters parameters{dt, temperature, 2.0 / dt, 23};
  double chi2 = 0;
  int freedom = 0;
  const auto advance = [&](int steps, std::int64_t& step) {
    double heat = 0;
    for (int k = 0; k < steps; ++k) {
      for (int i = 0; i < system.size(); ++i) {
        const int slot = system.slot_of_atom[i];
        system.atoms.set_force(slot,
                               -spring * (system.atoms.position_of(slot) - system.position[i]));
      }
      ASSERT_TRUE(langevin_middle_step(system.atoms, none, parameters, ++step, heat).ok());
    }
  };
  std::int64_t step = 0;
  advance(100, step);
  for (int sample = 0; sample < 20; ++sample) {
    advance(50, step);  // about thirty correlation times
    for (int i = 0; i < system.size(); ++i) {
      const Vec3 d = system.atoms.position_of(system.slot_of_atom[i]) - system.position[i];
      chi2 += spring * dot(d, d) / temperature;
      freedom += 3;
    }
  }
  EXPECT_LT(std::abs(chi_square_as_normal(chi2, freedom)), one_in_a_million);
}

TEST(Ramp, GoesLinearlyFromOneTemperatureToTheOtherAndStays) {
  LangevinParameters parameters{.temperature = 1, .final_temperature = 3, .ramp_steps = 8};
  EXPECT_EQ(bath_temperature(parameters, 0), 1);
  EXPECT_EQ(bath_temperature(parameters, 2), 1.5);
  EXPECT_EQ(bath_temperature(parameters, 8), 3);
  EXPECT_EQ(bath_temperature(parameters, 9000), 3);
  parameters.ramp_steps = 0;
  EXPECT_EQ(bath_temperature(parameters, 5), 1);
}

/// The noise of a step is that of a bath with the temperature of this step.
TEST(Ramp, DecidesTheNoiseOfEachStep) {
  SmallSystem ramped = SystemMaker(5, 100.0).make({.free_atoms = 40});
  const PatchConstraints none = place_all(ramped);
  SmallSystem constant = ramped;
  LangevinParameters parameters{.timestep = 40, .temperature = 1e-3, .friction = 1e-3, .seed = 4};
  parameters.final_temperature = 3e-3;
  parameters.ramp_steps = 100;
  double heat = 0;
  ASSERT_TRUE(langevin_middle_step(ramped.atoms, none, parameters, 50, heat).ok());
  parameters.ramp_steps = 0;
  parameters.temperature = 2e-3;
  ASSERT_TRUE(langevin_middle_step(constant.atoms, none, parameters, 50, heat).ok());
  for (int i = 0; i < ramped.size(); ++i) {
    const int slot = ramped.slot_of_atom[i];
    EXPECT_NE(norm(ramped.atoms.velocity_of(slot)), 0);
    EXPECT_EQ(norm(ramped.atoms.velocity_of(slot) - constant.atoms.velocity_of(slot)), 0);
  }
}

}  // namespace
}  // namespace fg::test
