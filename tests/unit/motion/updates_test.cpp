// SPDX-License-Identifier: BSD-3-Clause
//
// The linear updates, the layout of slots and the sums over velocities.
#include "motion/updates.hpp"

#include <gtest/gtest.h>

#include <random>

#include "motion/kinetic.hpp"
#include "support/classical/moving_systems.hpp"
#include "support/references/motion/motion_references.hpp"

namespace fg::test {
namespace {

SmallSystem some_system(int waters, int others) {
  SmallSystem system =
      SystemMaker(3, 10.0).make({.waters = waters, .stars = {0, others, 0, 1}, .free_atoms = 2});
  place_all(system);
  std::mt19937_64 random(4);
  for (const int slot : system.slot_of_atom) {
    system.atoms.set_velocity(slot, random_vector(random, 1e-3));
    system.atoms.set_force(slot, random_vector(random, 1e-1));
  }
  return system;
}

TEST(MotionLayout, KeepsWatersInThreeBlocksAndWholeVectors) {
  const MotionLayout layout{.waters = 9, .others = 3};
  EXPECT_EQ(layout.water_stride(), 16);
  EXPECT_EQ(layout.water_slot(8, 2), 40);
  EXPECT_EQ(layout.other_slot(0), 48);
  EXPECT_EQ(layout.slots(), 56);
  EXPECT_EQ(MotionLayout{}.slots(), 0);
}

TEST(Updates, KickAndDriftFollowTheirFormulas) {
  SmallSystem system = some_system(5, 3);
  const SmallSystem before = system;
  kick_and_drift(system.atoms, 2.0, 3.0);
  SmallSystem kicked = before;
  kick(kicked.atoms, 2.0);
  for (int atom = 0; atom < system.size(); ++atom) {
    const int slot = system.slot_of_atom[atom];
    const Vec3 v =
        before.atoms.velocity_of(slot) + (2.0 / system.mass[atom]) * before.atoms.force_of(slot);
    const Vec3 x = before.atoms.position_of(slot) + 3.0 * v;
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_DOUBLE_EQ(system.atoms.velocity()[axis][slot], v[axis]);
      EXPECT_DOUBLE_EQ(system.atoms.position()[axis][slot], x[axis]);
      EXPECT_EQ(system.atoms.velocity()[axis][slot], kicked.atoms.velocity()[axis][slot]);
      EXPECT_EQ(system.atoms.previous()[axis][slot], before.atoms.position()[axis][slot]);
    }
  }
}

TEST(Updates, NoiseAgreesWithTheReference) {
  for (const int waters : {0, 1, 7, 8, 20}) {
    SmallSystem fast = some_system(waters, 3);
    for (int axis = 0; axis < 3; ++axis)
      for (int i = 0; i < fast.atoms.slots(); ++i)
        fast.atoms.noise()[axis][i] = 0.01f * static_cast<float>(i - axis);
    SmallSystem plain = fast;
    drift_with_noise(fast.atoms, 80.0, 0.98, 0.003);
    drift_with_noise_reference(plain.atoms, 80.0, 0.98, 0.003);
    for (const int slot : fast.slot_of_atom)
      for (int axis = 0; axis < 3; ++axis) {
        // Two half drifts against one: a rounding of a coordinate below 16 bohr.
        EXPECT_NEAR(fast.atoms.position()[axis][slot], plain.atoms.position()[axis][slot], 4e-15);
        EXPECT_DOUBLE_EQ(fast.atoms.velocity()[axis][slot], plain.atoms.velocity()[axis][slot]);
      }
  }
}

TEST(Updates, LeaveSlotsWithoutAnAtomAtRest) {
  SmallSystem system = some_system(3, 1);
  for (int axis = 0; axis < 3; ++axis)
    for (int i = 0; i < system.atoms.slots(); ++i) system.atoms.noise()[axis][i] = 1.0f;
  kick(system.atoms, 2.0);
  drift_with_noise(system.atoms, 80.0, 0.9, 0.003);
  shift_velocities(system.atoms, {1, 2, 3});
  for (int i = 0; i < system.atoms.slots(); ++i)
    if (system.atoms.ids()[i] < 0) {
      EXPECT_EQ(system.atoms.velocity_of(i), Vec3{}) << i;
    }
}

TEST(Kinetic, SumsAgreeWithPlainLoops) {
  const SmallSystem system = some_system(6, 4);
  double energy = 0, mass = 0;
  Vec3 p;
  for (int atom = 0; atom < system.size(); ++atom) {
    const Vec3 v = system.atoms.velocity_of(system.slot_of_atom[atom]);
    energy += 0.5 * system.mass[atom] * dot(v, v);
    p += system.mass[atom] * v;
    mass += system.mass[atom];
  }
  EXPECT_NEAR(kinetic_energy(system.atoms), energy, 1e-14 * energy);  // roundings of 30 terms
  EXPECT_NEAR(total_mass(system.atoms), mass, 1e-14 * mass);
  for (int axis = 0; axis < 3; ++axis)
    EXPECT_NEAR(momentum(system.atoms)[axis], p[axis], 1e-14 * mass * 1e-3);
}

TEST(Kinetic, CountsDegreesOfFreedom) {
  EXPECT_EQ(degrees_of_freedom(3, 3, CentreOfMass::moves), 6);
  EXPECT_EQ(degrees_of_freedom(3, 3, CentreOfMass::held), 3);
  EXPECT_EQ(degrees_of_freedom(1, 0, CentreOfMass::held), 0);
  EXPECT_EQ(temperature_of(1.0, 0), 0.0);
  EXPECT_DOUBLE_EQ(temperature_of(3.0, 6), 1.0);
}

}  // namespace
}  // namespace fg::test
