// SPDX-License-Identifier: BSD-3-Clause
//
// The longest time step of Car-Parrinello dynamics is where the estimate says it is: above it
// orbitals among ions that rest do not keep their energy, below it they do.
#include <gtest/gtest.h>

#include <limits>

#include "base/error.hpp"
#include "electrons/orbitals/orbital_frequencies.hpp"
#include "support/ab_initio/dynamics_runs.hpp"
#include "support/ab_initio/gth_jobs.hpp"

namespace fg::test {
namespace {

using ab_initio::Job;
using ab_initio::Orthonormality;

/// How far the conserved energy goes from its beginning; infinity if the run breaks down.
double loss(const Job& job) {
  DynamicsRun run(job);
  try {
    run.begin();
  } catch (const NumericsError&) {
    return std::numeric_limits<double>::infinity();
  }
  return wandering(run.steps);
}

TEST(LongestTimeStep, IsWhereTheEstimateSays) {
  Job job = gth_job();
  job.ground_state.start = ab_initio::StartKind::atomic;
  job.ground_state.tolerance = 0.005;  // beside the ground state, so that orbitals swing
  job.dynamics = {.kind = ab_initio::DynamicsKind::car_parrinello,
                  .timestep = 1,
                  .steps = 0,
                  .ions_rest = true,
                  .fictitious_mass = 400,
                  .mass_cutoff = 1.5,
                  .constraint_tolerance = 1e-12,
                  .reset_above = 1e-3};
  DynamicsRun ground(job);
  ground.begin();
  const electrons::SwingingOrbitals orbitals{
      .mass = {.mass = job.dynamics.fictitious_mass, .cutoff = job.dynamics.mass_cutoff},
      .occupation = 2,
      .cutoff = job.electrons.cutoff};
  const double longest = electrons::longest_timestep(
      highest_orbital_frequency(orbitals, ground.end.eigenvalues.front()));
  for (const Orthonormality how : {Orthonormality::constrained, Orthonormality::free}) {
    const auto with = [&](double share) {
      Job run = job;
      run.dynamics.orthonormality = how;
      run.dynamics.timestep = share * longest;
      run.dynamics.steps = 150;
      return loss(run);
    };
    // The estimate is good to a tenth. Above it the swings double in a step or two; those of free
    // orbitals end where the energy cannot grow.
    EXPECT_LT(with(0.9), 0.05) << static_cast<int>(how);
    EXPECT_GT(with(1.15), 0.5) << static_cast<int>(how);
  }
}

}  // namespace
}  // namespace fg::test
