// SPDX-License-Identifier: BSD-3-Clause
//
// Velocity Verlet: exact frequency of a spring, energy error of second order with and without
// constraints, and time reversal.
// Units: Hartree atomic units.
#include "motion/verlet.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "motion/initial_velocities.hpp"
#include "motion/kinetic.hpp"
#include "support/classical/soft_cluster.hpp"

namespace fg::test {
namespace {

TEST(VerletOscillator, TurnsAtTheDiscreteFrequency) {
  SmallSystem system = SystemMaker(1, 5.0).make({.free_atoms = 1});
  const PatchConstraints none = place_all(system);
  const double stiffness = 0.1, mass = system.mass[0];
  const double dt = 0.2 * std::sqrt(mass / stiffness);
  // Positions of the scheme are cos(n theta) with cos theta = 1 - (omega dt)^2 / 2, exactly:
  // Hairer, Lubich, Wanner, Geometric Numerical Integration, 2nd ed., section I.5.2.
  const double theta = std::acos(1 - 0.5 * dt * dt * stiffness / mass);
  const int slot = system.slot_of_atom[0];
  const auto force = [&] {
    system.atoms.set_force(slot, -stiffness * system.atoms.position_of(slot));
  };
  system.atoms.set_position(slot, {1, -2, 0.5});
  force();
  for (int n = 1; n <= 1000; ++n) {
    ASSERT_TRUE(verlet_first_half(system.atoms, none, dt).ok());
    force();
    ASSERT_TRUE(verlet_second_half(system.atoms, none, dt).ok());
    // The phase accumulates one rounding per step.
    const double want = std::cos(n * theta);
    EXPECT_NEAR(system.atoms.position_of(slot).x, want, 1e-12);
    EXPECT_NEAR(system.atoms.position_of(slot).y, -2 * want, 2e-12);
  }
}

/// A few rigid and free fragments on springs with repulsion between them, at 300 K.
struct Cluster {
  Cluster()
      : system(SystemMaker(7, 6.0).make(
            {.waters = 5, .stars = {1, 1, 1, 1}, .triangles = 1, .free_atoms = 2})),
        constraints(place_all(system, 1e-13)) {
    EXPECT_TRUE(draw_velocities(system.atoms, constraints, 300 * kelvin, 8).ok());
    potential = energy(system);
  }

  void step(double dt) {
    ASSERT_TRUE(verlet_first_half(system.atoms, constraints, dt).ok());
    potential = energy(system);
    ASSERT_TRUE(verlet_second_half(system.atoms, constraints, dt).ok());
  }
  double total() const { return potential + kinetic_energy(system.atoms); }

  SmallSystem system;
  PatchConstraints constraints;
  SoftCluster energy;
  double potential = 0;
};

/// The largest deviation of the total energy over a fixed time.
double worst_deviation(double dt, double time) {
  Cluster cluster;
  const double start = cluster.total();
  double worst = 0;
  for (int n = 0; n < std::lround(time / dt); ++n) {
    cluster.step(dt);
    worst = std::fmax(worst, std::abs(cluster.total() - start));
  }
  return worst;
}

TEST(VerletCluster, EnergyErrorIsOfSecondOrder) {
  const double time = 256 * femtosecond;
  const double coarse = worst_deviation(2 * femtosecond, time);
  const double middle = worst_deviation(1 * femtosecond, time);
  const double fine = worst_deviation(0.5 * femtosecond, time);
  // Four times less for half the step. The largest over discrete times scatters by some percent,
  // and the fourth-order term is a quarter as large each time.
  EXPECT_NEAR(coarse / middle, 4.0, 0.5);
  EXPECT_NEAR(middle / fine, 4.0, 0.25);
  // The deviation is also small compared with the kinetic energy, so no drift is hidden.
  EXPECT_LT(fine, 1e-2 * kinetic_energy(Cluster().system.atoms));
}

TEST(VerletCluster, ReturnsToItsStartWhenVelocitiesAreReversed) {
  Cluster cluster;
  const MovingAtoms start = cluster.system.atoms;
  const double dt = 1 * femtosecond;
  const auto run = [&] {
    for (int n = 0; n < 200; ++n) cluster.step(dt);
  };
  run();
  const auto reverse = [&] {
    for (const int slot : cluster.system.slot_of_atom)
      cluster.system.atoms.set_velocity(slot, -cluster.system.atoms.velocity_of(slot));
  };
  reverse();
  run();
  reverse();
  // Round-off of 1e-15 and the constraints' tolerance of 1e-13, grown over 400 steps of a motion
  // that is hardly chaotic at this length.
  for (const int slot : cluster.system.slot_of_atom)
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_NEAR(cluster.system.atoms.position()[axis][slot], start.position()[axis][slot], 1e-8);
      EXPECT_NEAR(cluster.system.atoms.velocity()[axis][slot], start.velocity()[axis][slot], 1e-10);
    }
}

TEST(VerletCluster, ConstraintsHoldThroughout) {
  Cluster cluster;
  for (int n = 0; n < 200; ++n) {
    cluster.step(2 * femtosecond);
    ASSERT_LE(cluster.constraints.worst_error(cluster.system.atoms), 1e-13);
  }
}

}  // namespace
}  // namespace fg::test
