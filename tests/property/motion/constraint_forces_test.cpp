// SPDX-License-Identifier: BSD-3-Clause
//
// The forces that keep distances. For two ions they are found by hand, for a molecule by the second
// derivatives of its distances, along a trajectory by what the constraints give to momenta.
#include "motion/constraints/constraint_forces.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "ab_initio/motion/ion_constraints.hpp"
#include "base/error.hpp"

namespace fg::test {
namespace {

TEST(ConstraintForces, PullARotorInAndHoldAPairThatIsPulledApart) {
  const std::vector<double> masses{1800, 3000};
  const double reduced = 1 / (1 / masses[0] + 1 / masses[1]), distance = 1.5, speed = 2e-3;
  const std::vector<IonPair> pair{{0, 1, {0, distance, 0}}};
  // It turns: the force is the centripetal one.
  const std::vector<Vec3> none(2), turning{{0, 0, 0}, {speed, 0, 0}};
  EXPECT_NEAR(constraint_forces(pair, masses, turning, none)[0],
              -reduced * speed * speed / distance, 1e-18);
  // It rests, and forces pull at both ions.
  const std::vector<Vec3> pulled{{0.3, -0.02, 0}, {0, 0.05, 0.1}};
  EXPECT_NEAR(constraint_forces(pair, masses, none, pulled)[0],
              -reduced * (0.05 / masses[1] + 0.02 / masses[0]), 1e-16);
}

/// A tetrahedron with five of its six edges kept.
struct Tetrahedron {
  std::vector<double> masses{29000, 1800, 1900, 5000};
  std::vector<Vec3> positions{{0, 0, 0}, {1.8, 0, 0.1}, {-0.5, 1.7, 0}, {0.3, 0.2, 1.5}};
  std::vector<Vec3> velocities{
      {1e-4, 0, 2e-4}, {0, -2e-4, 3e-4}, {1e-4, 1e-4, -5e-4}, {0, 1e-3, 0}};
  std::vector<Vec3> forces{{0.01, 0, 0.02}, {-0.03, 0.01, 0}, {0.02, -0.01, 0.01}, {0, 0, -0.04}};
  std::vector<IonDistance> kept;

  Tetrahedron() {
    for (const auto& [a, b] : {std::pair{0, 1}, {2, 0}, {1, 2}, {3, 0}, {1, 3}})
      kept.push_back({a, b, norm(positions[b] - positions[a])});
  }
};

TEST(ConstraintForces, LeaveDistancesWithoutAcceleration) {
  Tetrahedron t;
  IonConstraints constraints(t.kept, t.masses);
  constraints.apply_to_velocities({t.masses, t.positions, t.velocities});
  const std::vector<IonPair> pairs = constraints.pairs(t.positions);
  ASSERT_TRUE(are_independent(pairs, t.masses));
  const auto f = constraint_forces(pairs, t.masses, t.velocities, t.forces);
  std::vector<Vec3> all = t.forces;
  for (std::size_t c = 0; c < f.size(); ++c) {
    const Vec3 along = pairs[c].way * (f[c] / norm(pairs[c].way));
    all[static_cast<std::size_t>(pairs[c].b)] += along;
    all[static_cast<std::size_t>(pairs[c].a)] -= along;
  }
  const auto distance = [&](std::size_t c, double time) {
    const auto at = [&](int ion) {
      const auto i = static_cast<std::size_t>(ion);
      return t.positions[i] + time * t.velocities[i] + time * time / 2 / t.masses[i] * all[i];
    };
    return norm(at(t.kept[c].b) - at(t.kept[c].a));
  };
  const auto acceleration = [&](std::size_t c, double time) {
    return (distance(c, time) - 2 * distance(c, 0) + distance(c, -time)) / (time * time);
  };
  for (std::size_t c = 0; c < f.size(); ++c) {
    EXPECT_GT(std::abs(f[c]), 1e-4) << c;
    // The error of the difference, of second order in the time, is taken out; the rest is rounding
    // of 1e-15 over 4. Without the forces of constraint it is 1e-6 to 1e-5.
    EXPECT_NEAR((4 * acceleration(c, 2) - acceleration(c, 4)) / 3, 0, 1e-12) << c;
  }
}

TEST(ConstraintForces, AreWhatConstraintsGiveToTheMomenta) {
  Tetrahedron t;
  IonConstraints constraints(t.kept, t.masses);
  const MovingIons ions{t.masses, t.positions, t.velocities};
  constraints.apply_to_velocities(ions);
  const double dt = 2;
  const auto kick = [&] {
    for (std::size_t i = 0; i < t.masses.size(); ++i)
      t.velocities[i] += dt / 2 / t.masses[i] * t.forces[i];
  };
  const auto on_the_last = [&] {
    const std::vector<IonPair> pairs = constraints.pairs(t.positions);
    const auto f = constraint_forces(pairs, t.masses, t.velocities, t.forces);
    Vec3 sum;
    for (std::size_t c = 0; c < f.size(); ++c) {
      const Vec3 along = pairs[c].way * (f[c] / norm(pairs[c].way));
      if (pairs[c].b == 3) sum += along;
      if (pairs[c].a == 3) sum -= along;
    }
    return sum;
  };
  Vec3 by_formula, by_momenta;
  constexpr int steps = 400;
  for (int n = 0; n < steps; ++n) {
    const Vec3 velocity = t.velocities[3], force = on_the_last();
    kick();
    const std::vector<Vec3> previous = t.positions;
    no_ion_bath(dt)->drift(n, ions);
    constraints.apply_to_positions(previous, ions, dt);
    kick();
    constraints.apply_to_velocities(ions);
    by_momenta += t.masses[3] / dt * (t.velocities[3] - velocity) - t.forces[3];
    by_formula += 0.5 * (force + on_the_last());
  }
  EXPECT_GT(norm(by_momenta), 1e-3 * steps);
  // The difference is of second order in a step of a thousandth of a turn.
  EXPECT_LT(norm(by_formula - by_momenta), 1e-3 * norm(by_momenta));
}

TEST(ConstraintForces, KnowWhichConstraintsDependOnEachOther) {
  const std::vector<double> masses{16, 12, 16};
  std::vector<IonPair> line{{0, 1, {2, 0, 0}}, {1, 2, {2, 0, 0}}};
  EXPECT_TRUE(are_independent(line, masses));
  line.push_back({0, 2, {4, 0, 0}});
  EXPECT_FALSE(are_independent(line, masses));
  const std::vector<Vec3> none(3);
  EXPECT_THROW(constraint_forces(line, masses, none, none), NumericsError);
  EXPECT_TRUE(constraint_forces({}, masses, none, none).empty());
}

}  // namespace
}  // namespace fg::test
