// SPDX-License-Identifier: BSD-3-Clause
//
// Car-Parrinello dynamics with heat baths of ions and orbitals: what is conserved, what the baths
// give, the same bits on any PEs.
#include "ab_initio/job/baths.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/units.hpp"
#include "support/ab_initio/dynamics_runs.hpp"
#include "support/ab_initio/gth_jobs.hpp"

namespace fg::test {
namespace {

using ab_initio::DynamicsStep;
using ab_initio::ElectronBathKind;
using ab_initio::IonBathKind;
using ab_initio::Job;

constexpr double warm = 300 / units::hartree_in_kelvin;

Job moving(double timestep, std::int64_t steps) {
  Job job = gth_job();
  job.ground_state.start = ab_initio::StartKind::atomic;
  job.ground_state.tolerance = 1e-5;
  job.dynamics = {.kind = ab_initio::DynamicsKind::car_parrinello,
                  .timestep = timestep,
                  .steps = steps,
                  .seed = 4,
                  .fictitious_mass = 400,
                  .mass_cutoff = 1.5,
                  .constraint_tolerance = 1e-12,
                  .reset_above = 1e-3};
  // They have different directions, as from a temperature of some hundred kelvin.
  for (std::size_t i = 0; i < job.masses.size(); ++i) {
    const double angle = static_cast<double>(i);
    job.velocities.push_back(std::sqrt(warm / job.masses[i]) *
                             Vec3{std::cos(angle), std::sin(angle), std::cos(3 * angle)});
  }
  return job;
}

double most_of_bath(const std::vector<DynamicsStep>& steps) {
  double most = 0;
  for (const DynamicsStep& one : steps) most = std::max(most, std::abs(one.bath));
  return most;
}

class BathsOfIons : public testing::TestWithParam<IonBathKind> {};

INSTANTIATE_TEST_SUITE_P(Kinds, BathsOfIons,
                         testing::Values(IonBathKind::none, IonBathKind::nose_hoover,
                                         IonBathKind::rescaling, IonBathKind::langevin));

TEST_P(BathsOfIons, ConserveTheSumToSecondOrderOfTheTimeStep) {
  const auto steps_with = [](double timestep, std::int64_t steps) {
    Job job = moving(timestep, steps);
    job.dynamics.ion_bath = {
        .kind = GetParam(), .temperature = 3 * warm, .time_constant = 150, .chain_length = 3};
    return steps_of(job);
  };
  const auto whole = steps_with(6, 50), half = steps_with(3, 100);
  if (GetParam() == IonBathKind::none) {
    EXPECT_EQ(most_of_bath(half), 0);
  } else {
    // What the bath gives is far above what is lost.
    EXPECT_GT(most_of_bath(half), 100 * wandering(half));
  }
  EXPECT_GT(half.back().ion_kinetic, 0);
  // Noise of another time step makes another way, so the ratio is rough with random numbers.
  const bool random = GetParam() == IonBathKind::rescaling || GetParam() == IonBathKind::langevin;
  EXPECT_NEAR(wandering(whole) / wandering(half), 4, random ? 2.5 : 1);
}

TEST_P(BathsOfIons, HaveTheSameBitsOnAnyPes) {
  Job job = moving(5, 6);
  job.dynamics.ion_bath = {
      .kind = GetParam(), .temperature = warm, .time_constant = 150, .chain_length = 3};
  const auto one = steps_of(job), other = steps_of(job, 4);
  ASSERT_EQ(one.size(), other.size());
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_EQ(one[i].conserved(), other[i].conserved());
}

TEST(BathOfOrbitals, HoldsTheirKineticEnergy) {
  const auto steps_with = [](double kinetic) {
    Job job = moving(5, 400);
    job.dynamics.ions_rest = true;
    job.ground_state.tolerance = 0.01;  // beside the ground state, so that orbitals swing
    job.dynamics.electron_bath = {.kind = ElectronBathKind::nose_hoover,
                                  .kinetic = kinetic,
                                  .time_constant = 60,
                                  .chain_length = 4};
    return steps_of(job);
  };
  for (const double kinetic : {2e-4, 2e-3}) {
    const auto steps = steps_with(kinetic);
    double mean = 0;
    for (std::size_t i = 200; i < steps.size(); ++i)
      mean += steps[i].fictitious_kinetic / static_cast<double>(steps.size() - 200);
    // The mean over some ten periods of the bath; without it their energy is 9e-4.
    EXPECT_NEAR(mean, kinetic, 0.2 * kinetic);
    EXPECT_LT(wandering(steps), 0.05 * most_of_bath(steps));
  }
}

}  // namespace
}  // namespace fg::test
