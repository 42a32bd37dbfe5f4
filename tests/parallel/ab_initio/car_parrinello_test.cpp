// SPDX-License-Identifier: BSD-3-Clause
//
// Car-Parrinello dynamics of orbitals among ions that rest: what is conserved and how well, both
// ways to keep orbitals orthonormal, the same bits on any PEs and maps. The orbitals begin beside
// their ground state, whose search ends early; so they swing about it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "support/ab_initio/dynamics_runs.hpp"
#include "support/ab_initio/gth_jobs.hpp"

namespace fg::test {
namespace {

using ab_initio::DynamicsStep;
using ab_initio::Job;
using ab_initio::Orthonormality;

Job moving(Job job, Orthonormality orthonormality, double timestep, std::int64_t steps) {
  job.ground_state.start = ab_initio::StartKind::atomic;
  job.ground_state.tolerance = 0.005;
  job.dynamics = {.kind = ab_initio::DynamicsKind::car_parrinello,
                  .timestep = timestep,
                  .steps = steps,
                  .ions_rest = true,
                  .orthonormality = orthonormality,
                  .fictitious_mass = 400,
                  .mass_cutoff = 1.5,
                  .constraint_tolerance = 1e-12,
                  .reset_above = 1e-3};
  return job;
}

TEST(CarParrinello, ConservesTheEnergyToSecondOrderOfTheTimeStep) {
  for (const bool spin : {false, true})
    for (const Orthonormality how : {Orthonormality::constrained, Orthonormality::free}) {
      const auto steps_with = [&](double timestep, std::int64_t steps) {
        Job job = moving(spin ? spin_job() : gth_job(), how, timestep, steps);
        job.dynamics.reset_above = 1;  // the energy changes at a reset
        return steps_of(job);
      };
      // The same time, with steps of half the length.
      const auto whole = steps_with(6, 80);
      const auto half = steps_with(3, 160);
      ASSERT_EQ(whole.size(), 81U);
      ASSERT_EQ(half.size(), 161U);
      double kinetic = 0, potential = 0;
      for (const DynamicsStep& step : half) {
        kinetic = std::max(kinetic, step.fictitious_kinetic);
        potential = std::max(potential, half.front().energies.total() - step.energies.total());
      }
      // Much of the energy above the ground state becomes kinetic, and it stays what it was.
      EXPECT_GT(kinetic, 1e-4);
      EXPECT_NEAR(kinetic, potential, 0.02 * kinetic);
      EXPECT_LT(wandering(half), 0.02 * kinetic) << spin << static_cast<int>(how);
      // Four, but for the sampling of its swings.
      EXPECT_NEAR(wandering(whole) / wandering(half), 4, 1) << spin << static_cast<int>(how);
    }
}

TEST(CarParrinello, GoesBackTheWayItCame) {
  for (const Orthonormality how : {Orthonormality::constrained, Orthonormality::free}) {
    Job job = moving(gth_job("PBE"), how, 5, 25);
    job.dynamics.reset_above = 1;  // a reset is a point of no return
    DynamicsRun run(job);
    run.begin();
    run.job.dynamics.timestep = -5;
    run.job.dynamics.steps = 50;
    run.go_on();
    ASSERT_EQ(run.steps.size(), 51U);
    EXPECT_GT(std::abs(run.steps[25].energies.total() - run.steps[0].energies.total()), 1e-5);
    for (std::size_t i = 0; i < 25; ++i) {
      const DynamicsStep &there = run.steps[i], &back = run.steps[50 - i];
      EXPECT_NEAR(there.time, back.time, 1e-12);
      // Roundings and the tolerance of the constraint, in 25 steps.
      EXPECT_NEAR(there.energies.total(), back.energies.total(), 1e-10) << i;
      EXPECT_NEAR(there.energies.kinetic, back.energies.kinetic, 1e-9) << i;
      EXPECT_NEAR(there.fictitious_kinetic, back.fictitious_kinetic, 1e-10) << i;
    }
  }
}

/// With the same mass for all waves the forces on free orbitals have no part in their space, and
/// both ways are the same but for the error of a time step.
TEST(CarParrinello, MovesTheDensityInBothWaysAlike) {
  const auto density = [](Orthonormality how, double timestep, std::int64_t steps) {
    Job job = moving(gth_job(), how, timestep, steps);
    job.dynamics.mass_cutoff = std::numeric_limits<double>::infinity();
    job.dynamics.reset_above = 1e-7;
    job.writes_density = true;
    DynamicsRun run(job);
    run.begin();
    return run.end.density;
  };
  const auto distance = [](const std::vector<double>& a, const std::vector<double>& b) {
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
    return most;
  };
  const auto begin = density(Orthonormality::constrained, 2, 0);
  const auto constrained = density(Orthonormality::constrained, 2, 40);
  const auto free = density(Orthonormality::free, 2, 40);
  const double way = distance(constrained, begin);
  EXPECT_GT(way, 1e-4);
  EXPECT_LT(distance(constrained, free), 0.01 * way);
  const auto short_constrained = density(Orthonormality::constrained, 1, 80);
  const auto short_free = density(Orthonormality::free, 1, 80);
  // The resets make an error of first order: one half, but for terms of second order.
  EXPECT_NEAR(distance(short_constrained, short_free) / distance(constrained, free), 0.5, 0.05);
}

TEST(CarParrinello, ResetsOfFreeOrbitalsChangeTheEnergyLittle) {
  Job job = moving(gth_job(), Orthonormality::free, 4, 120);
  job.dynamics.reset_above = 1e-5;
  const auto steps = steps_of(job);
  const double atoms = job.ions();
  int resets = 0;
  for (std::size_t i = 1; i < steps.size(); ++i) {
    EXPECT_EQ(steps[i].was_reset, steps[i].deviation > 1e-5);
    if (!steps[i].was_reset) continue;
    ++resets;
    // A reset takes the share S - 1 of the kinetic energy.
    EXPECT_LT(steps[i].deviation, 1e-3);
  }
  EXPECT_GT(resets, 2);
  job.dynamics.reset_above = 1;
  const auto never = steps_of(job);
  double difference = 0;
  for (std::size_t i = 1; i < steps.size(); ++i)
    if (steps[i].was_reset) {
      difference = std::abs((steps[i].conserved() - steps[i - 1].conserved()) -
                            (never[i].conserved() - never[i - 1].conserved()));
      break;
    }
  EXPECT_LT(difference / atoms, 1e-8);
}

TEST(CarParrinello, HasTheSameBitsOnAnyPesAndMaps) {
  for (const Orthonormality how : {Orthonormality::constrained, Orthonormality::free})
    for (const bool spin : {false, true})
      for (const ab_initio::DivisionSettings& division : {ab_initio::DivisionSettings{5, 1, 1},
                                                          {2, 2, 4},
                                                          {1, 1, 2, 3, 3},
                                                          {2, 2, 4, 2, 0, 3, 4}}) {
        Job job = moving(spin ? spin_job("PBE") : gth_job(), how, 5, 6);
        job.division = division;
        job.dynamics.reset_above = 1e-5;
        expect_same_bits_on_any_pes_and_maps(job);
      }
}

TEST(CarParrinello, IsTheSameForAnyDivisionIntoObjects) {
  for (const Orthonormality how : {Orthonormality::constrained, Orthonormality::free}) {
    std::vector<DynamicsStep> first;
    for (const ab_initio::DivisionSettings& division : {ab_initio::DivisionSettings{5, 1, 1},
                                                        {2, 2, 4},
                                                        {1, 1, 2, 2},
                                                        {2, 1, 1, 1, 2},
                                                        {2, 2, 2, 2, 0, 3}}) {
      Job job = moving(gth_job(), how, 5, 10);
      job.division = division;
      // All begin with the same orbitals, to rounding.
      const auto steps = steps_of(job);
      if (first.empty()) first = steps;
      ASSERT_EQ(steps.size(), first.size());
      for (std::size_t i = 0; i < steps.size(); ++i) {
        EXPECT_NEAR(steps[i].energies.total(), first[i].energies.total(), 1e-10);
        EXPECT_NEAR(steps[i].fictitious_kinetic, first[i].fictitious_kinetic, 1e-10);
      }
    }
  }
}

/// Tiles come back to the whole matrix at a reset, and far from orthonormality.
TEST(CarParrinello, MovesFreeOrbitalsWithTilesAsWithOneMatrix) {
  const auto with = [](const ab_initio::DivisionSettings& division) {
    Job job = moving(gth_job(), Orthonormality::free, 5, 30);
    job.division = division;
    job.dynamics.reset_above = 1e-5;
    return steps_of(job);
  };
  const auto whole = with({2, 2, 2});
  EXPECT_TRUE(std::any_of(whole.begin(), whole.end(), [](const auto& s) { return s.was_reset; }));
  for (const int grain : {1, 2, 3}) {
    const auto tiles = with({2, 2, 2, 2, grain});
    ASSERT_EQ(tiles.size(), whole.size());
    for (std::size_t i = 0; i < whole.size(); ++i) {
      EXPECT_EQ(tiles[i].was_reset, whole[i].was_reset) << grain << i;
      // Roundings of 30 steps.
      EXPECT_NEAR(tiles[i].energies.total(), whole[i].energies.total(), 1e-10) << grain << i;
      EXPECT_NEAR(tiles[i].fictitious_kinetic, whole[i].fictitious_kinetic, 1e-10) << grain << i;
      EXPECT_NEAR(tiles[i].deviation, whole[i].deviation, 1e-12) << grain << i;
    }
  }
}

TEST(CarParrinello, ReportsTheStepsThatAreDueAndTheLast) {
  Job job = moving(gth_job(), Orthonormality::constrained, 5, 12);
  job.dynamics.energy_steps = 5;
  const auto steps = steps_of(job);
  std::vector<std::int64_t> numbers;
  for (const DynamicsStep& one : steps) numbers.push_back(one.number);
  EXPECT_EQ(numbers, (std::vector<std::int64_t>{0, 5, 10, 12}));
}

TEST(CarParrinello, RefusesATimeStepThatIsTooLong) {
  try {
    steps_of(moving(gth_job(), Orthonormality::constrained, 60, 50));
    FAIL() << "it went on";
  } catch (const NumericsError& error) {
    EXPECT_NE(std::string(error.what()).find("shorter time step"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace fg::test
