// SPDX-License-Identifier: BSD-3-Clause
//
// Forces of Car-Parrinello dynamics, averaged over a short time, and those of Born-Oppenheimer
// dynamics over the same time from the same start, at rest. Orbitals that follow the ions,
// psi(R(t)), need the force m psi'' for it: they lag behind the ground state by an amount that is
// proportional to their mass m, and swing about this place. In the lag the force on ions changes
// to first order, the energy only to second.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "support/ab_initio/dynamics_runs.hpp"
#include "support/ab_initio/gth_jobs.hpp"

namespace fg::test {
namespace {

using ab_initio::DynamicsKind;
using ab_initio::DynamicsStep;
using ab_initio::Job;
using ab_initio::Orthonormality;

constexpr double window = 240;  // about 6 fs

/// The job begins with a molecule out of its equilibrium, at rest.
Job job_of(DynamicsKind kind, double timestep) {
  Job job = gth_job();
  job.ground_state.start = ab_initio::StartKind::atomic;
  job.ground_state.tolerance = 1e-9;
  job.dynamics = {.kind = kind,
                  .timestep = timestep,
                  .steps = static_cast<std::int64_t>(window / timestep),
                  .mass_cutoff = std::numeric_limits<double>::infinity(),
                  .constraint_tolerance = 1e-11,
                  .reset_above = 1e-5,
                  .predictor_order = 2,
                  .trajectory_steps = 1};
  return job;
}

/// The mean by the trapezoidal rule.
std::vector<Vec3> mean_forces(const Job& job) {
  const std::vector<DynamicsStep> steps = steps_of(job);
  std::vector<Vec3> mean(job.positions.size());
  for (std::size_t n = 0; n < steps.size(); ++n) {
    const double share = n == 0 || n + 1 == steps.size() ? 0.5 : 1.0;
    for (std::size_t i = 0; i < mean.size(); ++i)
      mean[i] += steps[n].forces[i] * (share / static_cast<double>(steps.size() - 1));
  }
  return mean;
}

double distance(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, norm(a[i] - b[i]));
  return most;
}

TEST(AveragedForces, ApproachThoseOfTheGroundStateAsTheFictitiousMassFalls) {
  const auto right = mean_forces(job_of(DynamicsKind::born_oppenheimer, 2));
  const double size = distance(right, std::vector<Vec3>(right.size()));
  for (const Orthonormality how : {Orthonormality::constrained, Orthonormality::free}) {
    std::vector<double> errors;
    for (const double mass : {400.0, 200.0, 100.0}) {
      Job job = job_of(DynamicsKind::car_parrinello, 1);
      job.dynamics.fictitious_mass = mass;
      job.dynamics.orthonormality = how;
      errors.push_back(distance(mean_forces(job), right));
    }
    EXPECT_LT(errors[0], 0.2 * size);
    EXPECT_NEAR(errors[0] / errors[1], 2, 0.3);
    EXPECT_NEAR(errors[1] / errors[2], 2, 0.3);
  }
}

}  // namespace
}  // namespace fg::test
