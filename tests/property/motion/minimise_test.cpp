// SPDX-License-Identifier: BSD-3-Clause
//
// Both minimisers find the minimum with and without constraints, and take the same steps for any
// division of the system into patches.
// Units: Hartree atomic units.
#include "motion/minimise.hpp"

#include <gtest/gtest.h>

#include "support/classical/soft_cluster.hpp"

namespace fg::test {
namespace {

struct Outcome {
  bool converged = false;
  int evaluations = 0;
  double start = 0, energy = 0, force = 0, worst_constraint = 0;
};

Outcome minimise(SmallSystem& system, const PatchConstraints& constraints, MinimiserKind kind,
                 const SoftCluster& energy, double tolerance, int steps) {
  Minimiser minimiser(kind, tolerance, steps);
  MinimiserVectors vectors;
  vectors.reset(system.atoms);
  Outcome outcome;
  MinimiserOrder order;
  double last = 0;
  for (;;) {
    const double here = energy(system);
    if (outcome.evaluations == 0) outcome.start = last = here;
    order = minimiser.judge(vectors.measure(system.atoms, constraints, kind, here));
    EXPECT_LE(minimiser.best_energy(), last);
    last = minimiser.best_energy();
    EXPECT_TRUE(vectors.follow(order, system.atoms, constraints).ok());
    ++outcome.evaluations;
    if (order.done) break;
  }
  outcome.converged = order.converged;
  outcome.energy = minimiser.best_energy();
  outcome.force = minimiser.best_force();
  outcome.worst_constraint = constraints.worst_error(system.atoms);
  EXPECT_NEAR(energy(system), outcome.energy, 1e-14);  // the system is left at the best point
  return outcome;
}

class BothMinimisers : public ::testing::TestWithParam<MinimiserKind> {};

TEST_P(BothMinimisers, FindTheMinimumOfFreeAtoms) {
  SmallSystem system = SystemMaker(1, 6.0).make({.free_atoms = 20});
  const PatchConstraints none = place_all(system);
  const Outcome outcome = minimise(system, none, GetParam(), {}, 1e-7, 20000);
  EXPECT_TRUE(outcome.converged);
  EXPECT_LE(outcome.force, 1e-7);
  EXPECT_LT(outcome.energy, outcome.start);
}

TEST_P(BothMinimisers, FindTheMinimumOnTheConstraints) {
  SmallSystem system = SystemMaker(2, 7.0).make(
      {.waters = 12, .stars = {3, 2, 1, 1}, .triangles = 1, .free_atoms = 3});
  const PatchConstraints constraints = place_all(system, 1e-12);
  const Outcome outcome = minimise(system, constraints, GetParam(), {}, 1e-6, 20000);
  EXPECT_TRUE(outcome.converged) << outcome.force << " after " << outcome.evaluations;
  EXPECT_LE(outcome.worst_constraint, 1e-12);
  EXPECT_LT(outcome.energy, outcome.start);
}

TEST_P(BothMinimisers, StopAtTheLimitOfSteps) {
  SmallSystem system = SystemMaker(3, 6.0).make({.waters = 8});
  const PatchConstraints constraints = place_all(system, 1e-12);
  const Outcome outcome = minimise(system, constraints, GetParam(), {}, 1e-12, 7);
  EXPECT_FALSE(outcome.converged);
  EXPECT_EQ(outcome.evaluations, 7);
}

INSTANTIATE_TEST_SUITE_P(Kinds, BothMinimisers,
                         ::testing::Values(MinimiserKind::steepest_descent, MinimiserKind::l_bfgs));

TEST(Lbfgs, NeedsFarFewerEvaluationsForStiffAndSoftTogether) {
  // Stiff contacts between fragments on soft springs; one mass for all, so that both work in
  // Cartesian coordinates.
  const SoftCluster energy{.spring = 2e-4, .repulsion = 0.3};
  const auto evaluations = [&](MinimiserKind kind) {
    SmallSystem system = SystemMaker(4, 6.0).make({.waters = 10, .stars = {2, 2, 2, 0}});
    for (double& mass : system.mass) mass = dalton;
    const PatchConstraints constraints = place_all(system, 1e-12);
    const Outcome outcome = minimise(system, constraints, kind, energy, 1e-6, 20000);
    EXPECT_TRUE(outcome.converged);
    return outcome.evaluations;
  };
  EXPECT_LT(3 * evaluations(MinimiserKind::l_bfgs), evaluations(MinimiserKind::steepest_descent));
}

TEST(Lbfgs, SumsOverPatchesGiveTheSameSteps) {
  // Springs only, so that two halves do not interact. Cut in two, with added sums, the minimiser
  // must take the same steps as for the whole.
  const SoftCluster springs{.spring = 1e-3, .repulsion = 0};
  const Census half_census{.waters = 6, .stars = {2, 0, 1, 0}};
  SmallSystem halves[2] = {SystemMaker(5, 6.0).make(half_census),
                           SystemMaker(6, 6.0).make(half_census)};
  const PatchConstraints constraints[2] = {place_all(halves[0], 1e-12),
                                           place_all(halves[1], 1e-12)};
  MinimiserVectors vectors[2];
  for (int h = 0; h < 2; ++h) {
    for (Vec3& anchor : halves[h].position) anchor += {0.4, 0.3 - 0.1 * h, -0.2};
    vectors[h].reset(halves[h].atoms);
  }
  Minimiser minimiser(MinimiserKind::l_bfgs, 1e-7, 500);
  for (;;) {
    MinimiserSums sums;
    for (int h = 0; h < 2; ++h)
      sums.combine(vectors[h].measure(halves[h].atoms, constraints[h], MinimiserKind::l_bfgs,
                                      springs(halves[h])));
    const MinimiserOrder order = minimiser.judge(sums);
    for (int h = 0; h < 2; ++h)
      ASSERT_TRUE(vectors[h].follow(order, halves[h].atoms, constraints[h]).ok());
    if (order.done) break;
  }
  EXPECT_LE(minimiser.best_force(), 1e-7);
  EXPECT_LT(minimiser.evaluations(), 100);
}

TEST(Minimiser, RecoversFromAnEnergyThatIsNotANumber) {
  Minimiser minimiser(MinimiserKind::steepest_descent, 1e-6, 100);
  MinimiserSums sums;
  sums.energy = 1;
  sums.largest_force = 1;
  const double first = minimiser.judge(sums).scale;
  sums.energy = std::nan("");
  const MinimiserOrder order = minimiser.judge(sums);
  EXPECT_FALSE(order.accept);
  EXPECT_FALSE(order.done);
  EXPECT_LT(order.scale, first);
}

}  // namespace
}  // namespace fg::test
