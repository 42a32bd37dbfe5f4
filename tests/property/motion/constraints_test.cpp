// SPDX-License-Identifier: BSD-3-Clause
//
// Constraints hold to their tolerance, change no momentum, and give the same result for a fragment
// at any place in the patch.
// Units: Hartree atomic units.
#include "motion/constraints/constraints.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "motion/initial_velocities.hpp"
#include "motion/kinetic.hpp"
#include "motion/langevin.hpp"
#include "support/classical/moving_systems.hpp"

namespace fg::test {
namespace {

constexpr double tolerance = 1e-10;
const Census all_kinds{.waters = 11, .stars = {9, 5, 3, 2}, .triangles = 3, .free_atoms = 4};

void jolt(SmallSystem& system, std::uint64_t seed, double by) {
  std::mt19937_64 random(seed);
  for (const int slot : system.slot_of_atom)
    system.atoms.set_position(slot, system.atoms.position_of(slot) + random_vector(random, by));
}

Vec3 centre_of_mass(const SmallSystem& system) {
  Vec3 sum;
  double mass = 0;
  for (int i = 0; i < system.size(); ++i) {
    sum += system.mass[i] * system.atoms.position_of(system.slot_of_atom[i]);
    mass += system.mass[i];
  }
  return (1 / mass) * sum;
}

class Constraints : public ::testing::TestWithParam<int> {};

TEST_P(Constraints, HoldWithinTheirToleranceAfterAMove) {
  SmallSystem system = SystemMaker(GetParam(), 15.0).make(all_kinds);
  const PatchConstraints constraints = place_all(system, tolerance);
  jolt(system, GetParam() + 100, 0.05);
  ASSERT_GT(constraints.worst_error(system.atoms), 1e-3);
  const Vec3 before = centre_of_mass(system);
  ASSERT_TRUE(constraints.apply_to_positions(system.atoms, 0.0).ok());
  EXPECT_LE(constraints.worst_error(system.atoms), tolerance);
  // Forces along bonds cancel in pairs, so only roundings of coordinates below 16 bohr are left.
  const Vec3 after = centre_of_mass(system);
  for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(after[axis], before[axis], 4e-15);
}

TEST_P(Constraints, LeaveNoVelocityAlongThemAndKeepTheMomentum) {
  SmallSystem system = SystemMaker(GetParam(), 15.0).make(all_kinds);
  const PatchConstraints constraints = place_all(system, tolerance);
  std::mt19937_64 random(GetParam() + 200);
  for (const int slot : system.slot_of_atom)
    system.atoms.set_velocity(slot, random_vector(random, 1e-3));
  const Vec3 before = momentum(system.atoms);
  ASSERT_TRUE(constraints.apply_to_velocities(system.atoms).ok());
  for (int f = 0; f < system.table.size(); ++f)
    for (const FragmentConstraint& c : system.table.constraints(f)) {
      const int a = system.slot_of_atom[system.table.atoms(f)[c.a]];
      const int b = system.slot_of_atom[system.table.atoms(f)[c.b]];
      const Vec3 bond = system.atoms.position_of(b) - system.atoms.position_of(a);
      const Vec3 apart = system.atoms.velocity_of(b) - system.atoms.velocity_of(a);
      // Sweeps stop at the tolerance times the speeds (2e-3); the others end at round-off.
      EXPECT_LE(std::abs(dot(bond, apart)), tolerance * c.distance * 3e-3);
    }
  const Vec3 after = momentum(system.atoms);
  for (int axis = 0; axis < 3; ++axis)  // roundings of a sum of about 2e4 * 1e-3 per atom
    EXPECT_NEAR(after[axis], before[axis], 1e-12);
  const double kinetic = kinetic_energy(system.atoms);
  ASSERT_TRUE(constraints.apply_to_velocities(system.atoms).ok());
  EXPECT_NEAR(kinetic_energy(system.atoms), kinetic, 1e-9 * kinetic);  // a projection
}

TEST_P(Constraints, MoveVelocitiesByTheCorrectionOverTheTimestep) {
  SmallSystem system = SystemMaker(GetParam(), 15.0).make(all_kinds);
  const PatchConstraints constraints = place_all(system, tolerance);
  jolt(system, GetParam() + 300, 0.05);
  const SmallSystem before = system;
  ASSERT_TRUE(constraints.apply_to_positions(system.atoms, 0.25).ok());
  for (const int slot : system.slot_of_atom) {
    const Vec3 moved = system.atoms.position_of(slot) - before.atoms.position_of(slot);
    for (int axis = 0; axis < 3; ++axis)  // the move itself is rounded to coordinates' last bit
      EXPECT_NEAR(system.atoms.velocity()[axis][slot], 0.25 * moved[axis], 4e-15);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, Constraints, ::testing::Values(1, 2, 3, 4, 5));

TEST(ConstraintsAndOrder, AFragmentGetsTheSameBitsAtAnyPlace) {
  SmallSystem system = SystemMaker(9, 15.0).make(all_kinds);
  place_all(system, tolerance);
  const LangevinParameters parameters{2 * femtosecond, 300 * kelvin, 2e-5, 99};
  const FragmentTable table = system.table;

  // The same fragments placed in two orders.
  const auto run = [&](bool backwards) {
    std::vector<int> order(table.size());
    for (int f = 0; f < table.size(); ++f) order[f] = backwards ? table.size() - 1 - f : f;
    MovingAtoms atoms;
    const MotionLayout layout = system.atoms.layout();
    atoms.reset(layout, table.water());
    PatchConstraints constraints(table.water(), tolerance);
    constraints.clear(layout);
    std::vector<int> slot_of(system.size());
    int water = 0, other = 0;
    for (const int f : order) {
      const bool is_water = table.kind(f) == FragmentKind::water;
      if (!is_water) constraints.add(table, f, layout.other_slot(other));
      for (std::size_t k = 0; k < table.atoms(f).size(); ++k) {
        const int atom = table.atoms(f)[k];
        const int slot = is_water ? layout.water_slot(water, int(k)) : layout.other_slot(other++);
        atoms.place(slot, atom, system.mass[atom], system.position[atom], {});
        slot_of[atom] = slot;
      }
      water += is_water;
    }
    constraints.finish(atoms);
    EXPECT_TRUE(draw_velocities(atoms, constraints, parameters.temperature, 5).ok());
    double heat = 0;
    for (int step = 0; step < 20; ++step) {
      for (int atom = 0; atom < system.size(); ++atom) {
        const Vec3 d = atoms.position_of(slot_of[atom]) - system.position[atom];
        atoms.set_force(slot_of[atom], -0.01 * d);
      }
      EXPECT_TRUE(langevin_middle_step(atoms, constraints, parameters, step, heat).ok());
    }
    std::vector<Vec3> end;
    for (const int slot : slot_of) {
      end.push_back(atoms.position_of(slot));
      end.push_back(atoms.velocity_of(slot));
    }
    return end;
  };
  const auto forwards = run(false), backwards = run(true);
  for (std::size_t i = 0; i < forwards.size(); ++i)
    EXPECT_EQ(forwards[i], backwards[i])
        << "atom " << i / 2 << ", kind " << int(table.kind(table.of_atom(int(i / 2))));
}

TEST(ConstraintsFailure, NamesASlotOfTheFragment) {
  SmallSystem system = SystemMaker(10, 15.0).make(all_kinds);
  const PatchConstraints constraints = place_all(system, tolerance);
  int tried = 0;
  for (int f = 0; f < system.table.size(); ++f) {
    if (system.table.constraints(f).empty()) continue;
    ++tried;
    SmallSystem broken = system;
    const auto atoms = system.table.atoms(f);
    const int slot = system.slot_of_atom[atoms[atoms.size() - 1]];
    broken.atoms.set_position(slot, {std::nan(""), 0, 0});
    const ConstraintStatus status = constraints.apply_to_positions(broken.atoms, 0.0);
    ASSERT_FALSE(status.ok()) << f;
    const int named = broken.atoms.ids()[status.failed_slot];
    EXPECT_NE(std::find(atoms.begin(), atoms.end(), named), atoms.end()) << f;
  }
  EXPECT_GT(tried, 0);
}

}  // namespace
}  // namespace fg::test
