// SPDX-License-Identifier: BSD-3-Clause
//
// Distances between ions in plain arrays: kept in a dynamics that conserves energy and momentum,
// across the faces of a cell too, and a rotor that turns as it must.
#include "ab_initio/motion/ion_constraints.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/error.hpp"
#include "support/expect_refused.hpp"

namespace fg::test {
namespace {

/// A bent molecule of three ions, all distances of which are kept, beside a free ion; springs to
/// it.
struct Molecule {
  std::vector<double> masses{29000, 1800, 1900, 5000};
  std::vector<Vec3> positions{{0, 0, 0}, {1.8, 0, 0}, {-0.5, 1.7, 0}, {3, 3, 1}};
  std::vector<Vec3> velocities{{1e-4, 0, 2e-4}, {0, -2e-4, 3e-4}, {1e-4, 1e-4, -5e-4}, {0, 0, 0}};
  std::vector<IonDistance> distances{{0, 1, 1.8}, {2, 0, std::sqrt(3.14)}, {1, 2, std::sqrt(8.18)}};

  MovingIons moving() { return {masses, positions, velocities}; }
  double energy() {
    double sum = kinetic_energy(moving());
    for (int i = 0; i < 3; ++i) {
      const Vec3 d = positions[i] - positions[3];
      sum += 0.5 * spring * dot(d, d);
    }
    return sum;
  }
  void kick(double time) {
    for (int i = 0; i < 3; ++i) {
      const Vec3 force = -spring * (positions[i] - positions[3]);
      velocities[i] += time / masses[i] * force;
      velocities[3] -= time / masses[3] * force;
    }
  }
  void step(IonConstraints& constraints, double dt) {
    kick(0.5 * dt);
    const std::vector<Vec3> previous = positions;
    no_ion_bath(dt)->drift(0, moving());
    constraints.apply_to_positions(previous, moving(), dt);
    kick(0.5 * dt);
    constraints.apply_to_velocities(moving());
  }
  Vec3 momentum() const {
    Vec3 sum;
    for (std::size_t i = 0; i < 4; ++i) sum += masses[i] * velocities[i];
    return sum;
  }

  static constexpr double spring = 0.01;
};

/// The largest deviation of the energy in a time of 20 000.
double deviation(double dt) {
  Molecule molecule;
  IonConstraints constraints(molecule.distances, molecule.masses);
  constraints.apply_to_velocities(molecule.moving());
  const double start = molecule.energy();
  double largest = 0;
  for (double time = 0; time < 20'000; time += dt) {
    molecule.step(constraints, dt);
    largest = std::max(largest, std::abs(molecule.energy() - start));
    EXPECT_LE(constraints.largest_error(molecule.positions), 2e-12);
  }
  return largest;
}

TEST(IonConstraints, KeepDistancesAndConserveEnergyToSecondOrder) {
  // The energy is about 0.2 hartree, and the fastest motion has omega = 0.003.
  EXPECT_LT(deviation(10), 0.2 * 0.03 * 0.03);
  EXPECT_NEAR(deviation(20) / deviation(10), 4, 0.4);
}

TEST(IonConstraints, KeepTheMomentum) {
  Molecule molecule;
  IonConstraints constraints(molecule.distances, molecule.masses);
  constraints.apply_to_velocities(molecule.moving());
  const Vec3 start = molecule.momentum();
  for (int n = 0; n < 500; ++n) molecule.step(constraints, 20);
  // Momenta of about 10, a rounding of 1e-16 of them in each of some 1e4 corrections.
  EXPECT_LT(norm(molecule.momentum() - start), 1e-11);
}

TEST(IonConstraints, GiveTheSameAcrossTheFacesOfACell) {
  Molecule molecule, moved;
  const Vec3 image{20, -10, 0};
  moved.positions[1] += image;
  IonConstraints whole(molecule.distances, molecule.masses);
  IonConstraints parted(moved.distances, moved.masses, {{}, -image, {}, {}});
  for (int n = 0; n < 20; ++n) {
    for (auto* one : {&molecule, &moved}) {
      IonConstraints& constraints = one == &molecule ? whole : parted;
      const std::vector<Vec3> previous = one->positions;
      no_ion_bath(20)->drift(n, one->moving());
      constraints.apply_to_positions(previous, one->moving(), 20);
      constraints.apply_to_velocities(one->moving());
    }
  }
  // Rounding of positions of 20 bohr, and the tolerance.
  EXPECT_LT(norm(moved.positions[1] - image - molecule.positions[1]), 1e-10);
  EXPECT_LT(norm(moved.velocities[1] - molecule.velocities[1]), 1e-12);
  EXPECT_LE(parted.largest_error(moved.positions), 2e-12);
}

/// Two ions on a rod of length d that turn with v = w d / 2: after the time 2 pi / w they are back.
TEST(IonConstraints, LetARotorTurn) {
  constexpr double length = 2, speed = 1e-3, dt = 2;
  std::vector<double> masses{2000, 2000};
  std::vector<Vec3> positions{{1, 0, 0}, {-1, 0, 0}}, velocities{{0, speed, 0}, {0, -speed, 0}};
  IonConstraints constraints(std::vector<IonDistance>{{0, 1, length}}, masses);
  const MovingIons ions{masses, positions, velocities};
  const double omega = 2 * speed / length;
  const auto bath = no_ion_bath(dt);
  constexpr int steps = 1000;
  for (int n = 0; n < steps; ++n) {
    const std::vector<Vec3> previous = positions;
    bath->drift(n, ions);
    constraints.apply_to_positions(previous, ions, dt);
    constraints.apply_to_velocities(ions);
  }
  // Each step turns by atan(w dt) instead of w dt: 1/3 (w dt)^2 of the angle.
  const double angle = omega * dt * steps;
  EXPECT_NEAR(positions[0].x, std::cos(angle), angle * omega * omega * dt * dt);
  EXPECT_NEAR(positions[0].y, std::sin(angle), angle * omega * omega * dt * dt);
  EXPECT_NEAR(norm(velocities[0]), speed, 1e-12);
}

TEST(IonConstraints, RefuseWhatMakesNoSense) {
  const Molecule molecule;
  const auto refuse = [&](std::vector<IonDistance> distances, const char* because) {
    expect_refused<InputError>([&] { IonConstraints{distances, molecule.masses}; }, because);
  };
  refuse({{0, 4, 1}}, "does not exist");
  refuse({{-1, 2, 1}}, "does not exist");
  refuse({{2, 2, 1}}, "with itself");
  refuse({{0, 1, 0}}, "not above 0");
  refuse({{0, 1, 1}, {1, 0, 1}}, "there twice");
  // Three on a line, whose distances contradict each other.
  Molecule wrong;
  wrong.distances[2].distance = 9;
  IonConstraints constraints(wrong.distances, wrong.masses);
  const std::vector<Vec3> previous = wrong.positions;
  expect_refused<NumericsError>(
      [&] { constraints.apply_to_positions(previous, wrong.moving(), 10); }, "cannot be kept");
  // Without constraints nothing happens.
  IonConstraints none({}, molecule.masses);
  Molecule same;
  none.apply_to_velocities(same.moving());
  EXPECT_EQ(same.velocities, molecule.velocities);
  EXPECT_EQ(none.count(), 0);
}

}  // namespace
}  // namespace fg::test
