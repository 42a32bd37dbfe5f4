// SPDX-License-Identifier: BSD-3-Clause
//
// SETTLE against its plain reference and against SHAKE iterated to convergence, for numbers of
// waters that do not fill a vector.
// Units: Hartree atomic units.
#include "motion/constraints/settle.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "motion/constraints/shake.hpp"
#include "support/classical/moving_systems.hpp"
#include "support/each_simd_target.hpp"
#include "support/references/motion/motion_references.hpp"
#include "support/same_on_each_target.hpp"

namespace fg::test {
namespace {

// Coordinates are below 20 bohr, so their last bit is 3.6e-15; this allows for a dozen roundings.
constexpr double few_roundings = 5e-14;

/// Waters that have just moved by about a step of 2 fs at 300 K (0.05 bohr for a hydrogen).
SmallSystem moved_waters(int waters, std::uint64_t seed, double by = 0.05) {
  SmallSystem system = SystemMaker(seed, 15.0).make({.waters = waters});
  place_all(system);
  std::mt19937_64 random(seed + 1);
  for (int atom = 0; atom < system.size(); ++atom) {
    const int slot = system.slot_of_atom[atom];
    system.atoms.set_position(slot, system.atoms.position_of(slot) + random_vector(random, by));
    system.atoms.set_velocity(slot, random_vector(random, 1e-3));
  }
  return system;
}

WaterSlots water_slots(const SmallSystem& system) {
  const int stride = system.atoms.layout().water_stride();
  return {stride, stride};
}

ConstAxes constant(const Axes& a) {
  return {a[0], a[1], a[2]};
}

ShakeList as_bonds(const SmallSystem& system) {
  ShakeList list;
  for (int f = 0; f < system.table.size(); ++f) {
    for (const FragmentConstraint& c : system.table.constraints(f)) {
      const int a = system.slot_of_atom[system.table.atoms(f)[c.a]];
      const int b = system.slot_of_atom[system.table.atoms(f)[c.b]];
      const double* inverse_mass = system.atoms.inverse_mass();
      list.bonds.push_back({a, b, c.distance * c.distance, inverse_mass[a], inverse_mass[b]});
    }
    list.first.push_back(static_cast<std::int32_t>(list.bonds.size()));
  }
  return list;
}

void expect_same_atoms(const SmallSystem& a, const SmallSystem& b, double position,
                       double velocity) {
  for (const int slot : a.slot_of_atom)
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_NEAR(a.atoms.position()[axis][slot], b.atoms.position()[axis][slot], position);
      EXPECT_NEAR(a.atoms.velocity()[axis][slot], b.atoms.velocity()[axis][slot], velocity);
    }
}

using Settle = EachSimdTarget;
constexpr int ragged_sizes[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 17, 64};  // waters

TEST_P(Settle, PositionsAgreeWithTheReference) {
  for (const int waters : ragged_sizes) {
    SCOPED_TRACE(waters);
    SmallSystem simd = moved_waters(waters, 1), plain = simd;
    const SettleTriangle triangle(simd.table.water());
    const double rate = 1.0 / 80;
    EXPECT_EQ(settle_positions(triangle, water_slots(simd), constant(simd.atoms.previous()),
                               simd.atoms.position(), simd.atoms.velocity(), rate),
              -1);
    EXPECT_EQ(
        settle_positions_reference(triangle, water_slots(plain), constant(plain.atoms.previous()),
                                   plain.atoms.position(), plain.atoms.velocity(), rate),
        -1);
    expect_same_atoms(simd, plain, few_roundings, few_roundings * rate);
  }
}

TEST_P(Settle, VelocitiesAgreeWithTheReference) {
  for (const int waters : ragged_sizes) {
    SCOPED_TRACE(waters);
    SmallSystem simd = moved_waters(waters, 2, 0.0), plain = simd;
    const SettleTriangle triangle(simd.table.water());
    settle_velocities(triangle, water_slots(simd), constant(simd.atoms.position()),
                      simd.atoms.velocity());
    settle_velocities_reference(triangle, water_slots(plain), constant(plain.atoms.position()),
                                plain.atoms.velocity());
    // Speeds of 1e-3, and a condition number of the triangle's matrix of about 30.
    expect_same_atoms(simd, plain, 0, 1e-17);
  }
}

TEST(PortableSettle, HasTheSameBitsOnEachTarget) {
  const SmallSystem waters = moved_waters(64, 1);
  same_on_each_target([&] {
    SmallSystem here = waters;
    const SettleTriangle triangle(here.table.water());
    settle_positions(triangle, water_slots(here), constant(here.atoms.previous()),
                     here.atoms.position(), here.atoms.velocity(), 1.0 / 80);
    settle_velocities(triangle, water_slots(here), constant(here.atoms.position()),
                      here.atoms.velocity());
    std::vector<Vec3> all;
    for (const int slot : here.slot_of_atom) {
      const Axes velocity = here.atoms.velocity();
      all.push_back(here.atoms.position_of(slot));
      all.push_back({velocity[0][slot], velocity[1][slot], velocity[2][slot]});
    }
    return all;
  });
}

TEST_P(Settle, PositionsAgreeWithIteratedShake) {
  for (const int waters : ragged_sizes) {
    SCOPED_TRACE(waters);
    SmallSystem closed = moved_waters(waters, 3), iterated = closed;
    const SettleTriangle triangle(closed.table.water());
    const double rate = 1.0 / 80;
    settle_positions(triangle, water_slots(closed), constant(closed.atoms.previous()),
                     closed.atoms.position(), closed.atoms.velocity(), rate);
    EXPECT_EQ(shake_clusters(as_bonds(iterated), 1e-15, constant(iterated.atoms.previous()),
                             iterated.atoms.position(), iterated.atoms.velocity(), rate),
              -1);
    // The two methods differ only by the shape error of the start (3e-15) and roundings.
    expect_same_atoms(closed, iterated, 1e-13, 1e-13 * rate);
  }
}

TEST_P(Settle, VelocitiesAgreeWithIteratedRattle) {
  for (const int waters : ragged_sizes) {
    SCOPED_TRACE(waters);
    SmallSystem closed = moved_waters(waters, 4, 0.0), iterated = closed;
    const SettleTriangle triangle(closed.table.water());
    settle_velocities(triangle, water_slots(closed), constant(closed.atoms.position()),
                      closed.atoms.velocity());
    EXPECT_EQ(rattle_clusters(as_bonds(iterated), 1e-15, constant(iterated.atoms.position()),
                              iterated.atoms.velocity()),
              -1);
    // Sweeps end when the rate is 1e-15 of the speed; the condition number multiplies that.
    expect_same_atoms(closed, iterated, 0, 1e-16);
  }
}

TEST_P(Settle, AWaterGetsTheSameBitsAtAnyPlace) {
  SmallSystem system = moved_waters(1, 5);
  const int stride = system.atoms.layout().water_stride();
  const SettleTriangle triangle(system.table.water());
  SmallSystem alone = system;
  settle_positions(triangle, water_slots(alone), constant(alone.atoms.previous()),
                   alone.atoms.position(), alone.atoms.velocity(), 0.01);
  for (int lane = 1; lane < stride; ++lane) {
    SmallSystem moved = system;
    for (const auto& axes :
         {moved.atoms.position(), moved.atoms.previous(), moved.atoms.velocity()})
      for (int axis = 0; axis < 3; ++axis)
        for (int k = 0; k < 3; ++k)
          std::swap(axes[axis][k * stride], axes[axis][k * stride + lane]);
    settle_positions(triangle, water_slots(moved), constant(moved.atoms.previous()),
                     moved.atoms.position(), moved.atoms.velocity(), 0.01);
    for (int k = 0; k < 3; ++k) {
      EXPECT_EQ(moved.atoms.position_of(k * stride + lane), alone.atoms.position_of(k * stride));
      EXPECT_EQ(moved.atoms.velocity_of(k * stride + lane), alone.atoms.velocity_of(k * stride));
    }
  }
}

TEST_P(Settle, NamesTheFirstWaterWithoutASolution) {
  SmallSystem system = moved_waters(12, 6);
  const int stride = system.atoms.layout().water_stride();
  system.atoms.position()[1][stride + 5] = std::numeric_limits<double>::quiet_NaN();
  system.atoms.position()[0][2 * stride + 9] += 1e3;
  SmallSystem plain = system;
  const SettleTriangle triangle(system.table.water());
  EXPECT_EQ(settle_positions(triangle, water_slots(system), constant(system.atoms.previous()),
                             system.atoms.position(), system.atoms.velocity(), 0.0),
            5);
  EXPECT_EQ(
      settle_positions_reference(triangle, water_slots(plain), constant(plain.atoms.previous()),
                                 plain.atoms.position(), plain.atoms.velocity(), 0.0),
      5);
}

FG_ON_EACH_SIMD_TARGET(Settle);

}  // namespace
}  // namespace fg::test
