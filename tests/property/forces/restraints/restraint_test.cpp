// SPDX-License-Identifier: BSD-3-Clause
//
// Property: the force of a position restraint is minus the gradient of its energy, and its virial
// minus the slope of its energy with the strain of the box, for references that stay, that follow
// the box, and that follow the centre of their group. In the starting box and in another one.
// Units: bohr, hartree.
#include <gtest/gtest.h>

#include <random>

#include "base/virial.hpp"
#include "forces/restraints/position_restraint.hpp"

namespace fg::test {
namespace {

constexpr Vec3 start{20, 24, 31};

struct Case {
  const char* name;
  Vec3 anchor;
};

class Restraint : public ::testing::TestWithParam<Case> {
 protected:
  PositionRestraint restraint() const {
    return {.atom = 0,
            .stiffness = {0.01, 0.02, 0.005},
            .reference = reference,
            .anchor = GetParam().anchor};
  }
  double energy(const Vec3& position, const Vec3& edge) const {
    return pull(restraint(), position, start, Box{edge}).energy;
  }
  static constexpr Vec3 reference{3, 19, 28};
};

// Beside the reference, across a face of the box, and some boxes away.
constexpr Vec3 places[] = {{4.5, 18, 27}, {-18.5, 19.5, -4}, {45, -53, 122}};
constexpr Vec3 boxes[] = {start, {21.3, 23.1, 30.2}};

// The energy is quadratic, so a central difference has no error but rounding: 1e-16 of energies
// below 1 hartree over the step.
constexpr double step = 1e-4, rounding = 4e-12;

TEST_P(Restraint, ForceIsMinusTheGradient) {
  for (const Vec3& edge : boxes)
    for (const Vec3& place : places)
      for (int axis = 0; axis < 3; ++axis) {
        Vec3 ahead = place, behind = place;
        ahead[axis] += step;
        behind[axis] -= step;
        const double slope = (energy(ahead, edge) - energy(behind, edge)) / (2 * step);
        EXPECT_NEAR(pull(restraint(), place, start, Box{edge}).force[axis], -slope, rounding);
      }
}

TEST_P(Restraint, VirialIsMinusTheSlopeWithTheStrainOfTheBox) {
  for (const Vec3& edge : boxes)
    for (const Vec3& place : places) {
      const RestraintPull pulled = pull(restraint(), place, start, Box{edge});
      Virial virial{};
      add_virial(virial, pulled.lever, pulled.force);
      for (int axis = 0; axis < 3; ++axis) {
        const auto strained = [&](double strain) {
          Vec3 there = place, larger = edge;
          there[axis] *= 1 + strain;
          larger[axis] *= 1 + strain;
          return energy(there, larger);
        };
        const double slope = (strained(step) - strained(-step)) / (2 * step);
        EXPECT_NEAR(virial[axis], -slope, rounding) << axis;
      }
    }
}

TEST_P(Restraint, IsTheSameForEveryImageOfTheAtom) {
  for (const Vec3& edge : boxes)
    for (const Vec3& place : places) {
      const RestraintPull here = pull(restraint(), place, start, Box{edge});
      const Vec3 elsewhere{place.x + edge.x, place.y - 2 * edge.y, place.z + 3 * edge.z};
      const RestraintPull there = pull(restraint(), elsewhere, start, Box{edge});
      EXPECT_NEAR(there.energy, here.energy, 1e-14);
      for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(there.lever[axis], here.lever[axis], 1e-12);
    }
}

INSTANTIATE_TEST_SUITE_P(Scalings, Restraint,
                         ::testing::Values(Case{"None", {0, 0, 0}}, Case{"All", {3, 19, 28}},
                                           Case{"CentreOfMass", {7, 11, 15}}),
                         [](const auto& info) { return info.param.name; });

TEST(RestraintByHand, HasAConstantForEachAxisAndTheNearestImage) {
  const PositionRestraint restraint{.stiffness = {0.5, 0.25, 0}, .reference = {1, 2, 3}};
  // Differences: 19 - 20 = -1, 2 and 5; energy 0.5 / 2 + 0.25 * 4 / 2.
  const RestraintPull pulled = pull(restraint, {20, 4, 8}, start, Box{start});
  EXPECT_DOUBLE_EQ(pulled.energy, 0.75);
  EXPECT_DOUBLE_EQ(pulled.force.x, 0.5);
  EXPECT_DOUBLE_EQ(pulled.force.y, -0.5);
  EXPECT_DOUBLE_EQ(pulled.force.z, 0);
}

TEST(RestraintByHand, FollowsTheBoxAsFarAsItsAnchor) {
  const Box twice{.edge = {40, 48, 62}};
  PositionRestraint restraint{.stiffness = {1, 1, 1}, .reference = {1, 2, 3}};
  EXPECT_DOUBLE_EQ(pull(restraint, {1, 2, 3}, start, twice).energy, 0);
  restraint.anchor = {1, 2, 3};
  EXPECT_DOUBLE_EQ(pull(restraint, {2, 4, 6}, start, twice).energy, 0);
  restraint.anchor = {0.5, 2, 1};
  EXPECT_DOUBLE_EQ(pull(restraint, {1.5, 4, 4}, start, twice).energy, 0);
}

TEST(RestraintByHand, KnowsNoImagesInAnOpenFrame) {
  const PositionRestraint restraint{.stiffness = {1, 0, 0}, .reference = {1, 2, 3}};
  const Box open{.edge = start, .periodic = false};
  EXPECT_DOUBLE_EQ(pull(restraint, {20, 4, 8}, start, open).energy, 0.5 * 19 * 19);
}

}  // namespace
}  // namespace fg::test
