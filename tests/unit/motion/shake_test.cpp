// SPDX-License-Identifier: BSD-3-Clause
//
// Stars by Newton's method against SHAKE and RATTLE sweeps iterated to convergence, for numbers of
// stars that do not fill a vector.
// Units: Hartree atomic units.
#include "motion/constraints/shake.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <string>
#include <vector>

#include "support/classical/moving_systems.hpp"
#include "support/each_simd_target.hpp"
#include "support/references/motion/motion_references.hpp"
#include "support/same_on_each_target.hpp"

namespace fg::test {
namespace {

struct Stars {
  Stars(int leaves, int count, std::uint64_t seed) : leaves(leaves) {
    Census census;
    census.stars[leaves - 1] = count;
    system = SystemMaker(seed, 15.0).make(census);
    place_all(system);
    for (int f = 0; f < system.table.size(); ++f) {
      const auto atoms = system.table.atoms(f);
      list.centre.push_back(system.slot_of_atom[atoms[0]]);
      list.centre_inverse_mass.push_back(1.0 / system.mass[atoms[0]]);
      for (int k = 0; k < leaves; ++k) {
        const double distance = system.table.constraints(f)[k].distance;
        list.leaf[k].push_back(system.slot_of_atom[atoms[k + 1]]);
        list.leaf_inverse_mass[k].push_back(1.0 / system.mass[atoms[k + 1]]);
        list.distance2[k].push_back(distance * distance);
      }
    }
    list.stars = count;
    pad();
  }

  void pad() {
    list.padded = (list.stars + MotionLayout::slot_multiple - 1) / MotionLayout::slot_multiple *
                  MotionLayout::slot_multiple;
    const auto fill = [&](auto& v) {
      if (list.stars > 0) v.resize(list.padded, v[list.stars - 1]);
    };
    fill(list.centre);
    fill(list.centre_inverse_mass);
    for (int k = 0; k < leaves; ++k) {
      fill(list.leaf[k]);
      fill(list.leaf_inverse_mass[k]);
      fill(list.distance2[k]);
    }
  }

  void jolt(std::uint64_t seed, double by) {
    std::mt19937_64 random(seed);
    for (const int slot : system.slot_of_atom) {
      system.atoms.set_position(slot, system.atoms.position_of(slot) + random_vector(random, by));
      system.atoms.set_velocity(slot, random_vector(random, 1e-3));
    }
  }

  ConstAxes previous() const { return system.atoms.previous(); }
  ConstAxes position() const { return system.atoms.position(); }

  int leaves;
  SmallSystem system;
  StarList list;
};

void expect_same_atoms(const Stars& a, const Stars& b, double position, double velocity) {
  for (const int slot : a.system.slot_of_atom)
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_NEAR(a.system.atoms.position()[axis][slot], b.system.atoms.position()[axis][slot],
                  position);
      EXPECT_NEAR(a.system.atoms.velocity()[axis][slot], b.system.atoms.velocity()[axis][slot],
                  velocity);
    }
}

using StarSolver = EachSimdTarget;

TEST_P(StarSolver, PositionsAgreeWithTheReference) {
  for (const int leaves : {1, 2, 3, 4})
    for (const int count : {0, 1, 2, 3, 5, 8, 9, 21}) {
      SCOPED_TRACE(std::to_string(count) + " stars of " + std::to_string(leaves));
      Stars newton(leaves, count, 10);
      newton.jolt(11, 0.05);
      Stars sweeps = newton;
      const double rate = 1.0 / 80, tolerance = 1e-12;
      EXPECT_EQ(shake_stars(leaves, newton.list, tolerance, newton.previous(),
                            newton.system.atoms.position(), newton.system.atoms.velocity(), rate),
                -1);
      EXPECT_EQ(shake_stars_reference(leaves, sweeps.list, 1e-13, sweeps.previous(),
                                      sweeps.system.atoms.position(),
                                      sweeps.system.atoms.velocity(), rate),
                -1);
      // Newton stops within 1e-12 of the length (2 bohr), in practice far below; sweeps add up
      // roundings of coordinates (3.6e-15) some tens of times.
      expect_same_atoms(newton, sweeps, 4e-12, 4e-12 * rate);
    }
}

TEST_P(StarSolver, VelocitiesAgreeWithTheReference) {
  for (const int leaves : {1, 2, 3, 4})
    for (const int count : {0, 1, 2, 3, 5, 8, 9, 21}) {
      SCOPED_TRACE(std::to_string(count) + " stars of " + std::to_string(leaves));
      Stars direct(leaves, count, 12);
      direct.jolt(13, 0.0);
      Stars sweeps = direct;
      rattle_stars(leaves, direct.list, direct.position(), direct.system.atoms.velocity());
      rattle_stars_reference(leaves, sweeps.list, sweeps.position(),
                             sweeps.system.atoms.velocity());
      // Speeds of 1e-3 and the roundings of at most a thousand sweeps.
      expect_same_atoms(direct, sweeps, 0, 1e-16);
    }
}

TEST_P(StarSolver, AStarGetsTheSameBitsWithAnyNeighbours) {
  Stars many(3, 8, 14);
  many.jolt(15, 0.05);
  many.list.distance2[0][6] *= 1.1;  // a neighbour that needs more iterations
  Stars alone = many;
  for (int star = 0; star < 8; ++star) {
    // The same star in every lane.
    for (int lane = 0; lane < 8; ++lane) {
      alone.list.centre[lane] = many.list.centre[star];
      for (int k = 0; k < 3; ++k) {
        alone.list.leaf[k][lane] = many.list.leaf[k][star];
        alone.list.distance2[k][lane] = many.list.distance2[k][star];
      }
    }
    Stars one = alone, all = many;
    shake_stars(3, one.list, 1e-10, one.previous(), one.system.atoms.position(),
                one.system.atoms.velocity(), 0.01);
    shake_stars(3, all.list, 1e-10, all.previous(), all.system.atoms.position(),
                all.system.atoms.velocity(), 0.01);
    for (const int slot : {int(many.list.centre[star]), int(many.list.leaf[0][star]),
                           int(many.list.leaf[1][star]), int(many.list.leaf[2][star])}) {
      EXPECT_EQ(one.system.atoms.position_of(slot), all.system.atoms.position_of(slot)) << star;
      EXPECT_EQ(one.system.atoms.velocity_of(slot), all.system.atoms.velocity_of(slot)) << star;
    }
  }
}

TEST(PortableStars, HaveTheSameBitsOnEachTarget) {
  for (const int leaves : {1, 2, 3, 4}) {
    Stars stars(leaves, 21, 10);
    stars.jolt(11, 0.05);
    same_on_each_target([&] {
      Stars here = stars;
      const Axes position = here.system.atoms.position(), velocity = here.system.atoms.velocity();
      shake_stars(leaves, here.list, 1e-12, here.previous(), position, velocity, 1.0 / 80);
      rattle_stars(leaves, here.list, here.position(), velocity);
      std::vector<Vec3> all;
      for (const int slot : here.system.slot_of_atom) {
        all.push_back(here.system.atoms.position_of(slot));
        all.push_back({velocity[0][slot], velocity[1][slot], velocity[2][slot]});
      }
      return all;
    });
  }
}

TEST_P(StarSolver, NamesTheFirstStarThatDoesNotConverge) {
  Stars stars(2, 20, 16);
  stars.system.atoms.position()[2][stars.list.leaf[1][13]] =
      std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(shake_stars(2, stars.list, 1e-10, stars.previous(), stars.system.atoms.position(),
                        stars.system.atoms.velocity(), 0.0),
            13);
}

FG_ON_EACH_SIMD_TARGET(StarSolver);

}  // namespace
}  // namespace fg::test
