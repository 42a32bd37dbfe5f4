// SPDX-License-Identifier: BSD-3-Clause
//
// Where a dynamics ends: ions and steps that are named, limits on either side.
#include "ab_initio/results/dynamics_limits.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "support/ab_initio/gth_jobs.hpp"
#include "support/expect_refused.hpp"

namespace fg::test {
namespace {

using namespace ab_initio;
using testing::HasSubstr;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(DynamicsLimits, NameTheFirstIonWhoseForceIsNoNumber) {
  const Job job = gth_job();
  std::vector<Vec3> forces(job.positions.size(), Vec3{0.1, 0.2, -1e3});
  EXPECT_NO_THROW(check_forces(job, forces, 4));
  forces[4].y = nan;
  forces[2].z = std::numeric_limits<double>::infinity();
  expect_refused<NumericsError>([&] { check_forces(job, forces, 4); },
                                "step 4 of the dynamics, ion 3 (H)");
  forces[0].x = nan;
  expect_refused<NumericsError>([&] { check_forces(job, forces, 4); }, "ion 1 (Si)");
}

TEST(DynamicsLimits, NameTheIonThatMovesFurthest) {
  const Job job = gth_job();
  const std::vector<Vec3>& before = job.positions;
  std::vector<Vec3> after = before;
  for (Vec3& r : after) r += Vec3{0.29, 0.29, 0.28};  // 0.4965 bohr
  EXPECT_NO_THROW(check_moves(job, before, after, 7));
  after[5].x += 0.1;
  after[6].x += 0.2;
  expect_refused<NumericsError>([&] { check_moves(job, before, after, 7); },
                                "step 7 of the dynamics, ion 7 (H)");
  // sqrt(0.49^2 + 0.29^2 + 0.28^2) = 0.6345.
  expect_refused<NumericsError>([&] { check_moves(job, before, after, 7); }, "0.6345 bohr");
  expect_refused<NumericsError>([&] { check_moves(job, before, after, 7); }, "0.5 bohr");
  after[1].y = nan;
  expect_refused<NumericsError>([&] { check_moves(job, before, after, 7); }, "ion 2 (H)");
}

TEST(DynamicsLimits, EndARunThatHasLostItsEnergy) {
  DynamicsStep step{.number = 12};
  step.energies.kinetic = -4;
  step.ion_kinetic = 0.34;
  EXPECT_NO_THROW(check_conserved_energy(step, -4.0, 7));  // 0.34 / 7 = 0.0486
  EXPECT_NO_THROW(check_conserved_energy(step, std::nullopt, 7));
  for (const double sign : {1.0, -1.0}) {
    step.ion_kinetic = sign * 0.36;
    expect_refused<NumericsError>([&] { check_conserved_energy(step, -4.0, 7); },
                                  "step 12 of the dynamics");
    expect_refused<NumericsError>([&] { check_conserved_energy(step, -4.0, 7); }, "0.05143");
  }
  step.bath = nan;
  expect_refused<NumericsError>([&] { check_conserved_energy(step, std::nullopt, 7); },
                                "not a number");
}

TEST(DynamicsLimits, TellStepAndNearestIonsOfAnErrorThatDoesNot) {
  Job job = gth_job();
  // The nearest image of ion 7 is 0.1 bohr from ion 1, a vector of the cell away.
  job.positions[6] = job.positions[0] + job.cell.vectors[1] + Vec3{0, 0, 0.1};
  const InputError plain({.what = "the energy is lost", .where = "iteration 3"});
  const ErrorParts told = at_step(plain, 9, job, job.positions).parts();
  EXPECT_EQ(told.where, "step 9 of the dynamics, iteration 3");
  EXPECT_EQ(told.value, "the nearest ions are ion 1 (Si) and ion 7 (H), 0.1 bohr apart");
  // Known already, or not known at all.
  const NumericsError again = at_step(at_step(plain, 9, job, {}), 9, job, {});
  EXPECT_EQ(again.parts().where, told.where);
  EXPECT_EQ(again.parts().value, "");
  EXPECT_EQ(at_step(plain, -1, job, {}).parts().where, "iteration 3");
  const NumericsError valued({.what = "x", .value = "3 hartree"});
  EXPECT_EQ(at_step(valued, 2, job, job.positions).parts().value, "3 hartree");
  EXPECT_EQ(at_step(valued, 2, job, job.positions).parts().where, "step 2 of the dynamics");
  job.positions[1].x = nan;
  EXPECT_EQ(at_step(plain, 9, job, job.positions).parts().value, "");
}

}  // namespace
}  // namespace fg::test
