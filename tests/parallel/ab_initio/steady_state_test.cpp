// SPDX-License-Identifier: BSD-3-Clause
//
// An iteration takes memory from the system only for the eigenvalues of two matrices, in one
// object: nothing that grows with the number of objects. A step of a dynamics takes none.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <tuple>

#include "ab_initio/assembly.hpp"
#include "support/ab_initio/gth_jobs.hpp"
#include "support/count_allocations.hpp"

namespace fg::test {
namespace {

/// Number of PEs; a functional without and with a gradient; how waves meet ions.
class SteadyGroundState
    : public ::testing::TestWithParam<std::tuple<int, const char*, ab_initio::IonMethod>> {};

TEST_P(SteadyGroundState, AllocatesOnlyForEigenvalues) {
  ASSERT_TRUE(counts_allocations);
  const auto [pes, functional, method] = GetParam();
  ab_initio::Job job = gth_job(functional);
  job.division = {2, 2, 4};
  job.nonlocal.method = job.local.method = method;
  job.ground_state.tolerance = 1e-14;
  ab_initio::ProgressQueue progress;
  const auto assembly = ab_initio::make_assembly(job, {.pes = pes, .pin = false}, progress);
  // The assembly reads the job that it was given.
  const auto allocations_of = [&](std::int64_t iterations) {
    job.ground_state.iterations = iterations;
    const auto before = allocations.load();
    const auto state = assembly->find_ground_state();
    const auto used = allocations.load() - before;
    EXPECT_EQ(state.history.back().number, iterations);
    progress.take(std::chrono::milliseconds(0));
    return used;
  };
  // Before rounding hides the slope: then a direction is sought again without what is remembered.
  constexpr std::int64_t fewer = 5, more = 12;
  // So that every pool and buffer has reached its largest size. More messages may happen to wait at
  // once, so the least of several counts is used.
  allocations_of(more);
  allocations_of(more);
  std::uint64_t least = ~std::uint64_t{0};
  for (int attempt = 0; attempt < 8 && least > 9U * (more - fewer) + 1; ++attempt) {
    const auto less = allocations_of(fewer), all = allocations_of(more);
    least = std::min(least, all > less ? all - less : 0);
  }
  EXPECT_GT(allocations.load(), 0U) << "nothing was counted";
  // Twice in an iteration a copy of the matrix, its eigenvalues and two work arrays of LAPACK; the
  // queue of reports grows with every second one. Over all, the history of iterations may grow
  // once.
  EXPECT_LE(least, 9U * (more - fewer) + 1) << "allocations in " << more - fewer << " iterations";
}

/// Number of PEs; how orbitals are kept orthonormal; the division into objects.
class SteadyDynamics
    : public ::testing::TestWithParam<
          std::tuple<int, ab_initio::Orthonormality, ab_initio::DivisionSettings>> {};

TEST_P(SteadyDynamics, AllocatesNothing) {
  ASSERT_TRUE(counts_allocations);
  const auto& [pes, how, division] = GetParam();
  ab_initio::Job job = gth_job("PBE");
  job.division = division;
  job.ground_state.tolerance = 0.05;
  job.dynamics = {.kind = ab_initio::DynamicsKind::car_parrinello,
                  .timestep = 5,
                  .steps = 40,
                  .ions_rest = true,
                  .orthonormality = how,
                  .fictitious_mass = 400,
                  .mass_cutoff = 1.5,
                  .constraint_tolerance = 1e-12,
                  .reset_above = 1};
  job.dynamics.energy_steps = 0;
  ab_initio::ProgressQueue progress;
  const auto assembly = ab_initio::make_assembly(job, {.pes = pes, .pin = false}, progress);
  assembly->run_dynamics();
  const auto allocations_of = [&](std::int64_t steps) {
    job.dynamics.steps += steps;
    const auto before = allocations.load();
    assembly->continue_dynamics();
    const auto used = allocations.load() - before;
    progress.take(std::chrono::milliseconds(0));
    return used;
  };
  constexpr std::int64_t fewer = 5, more = 15;
  allocations_of(more);
  // More messages may happen to wait at once, so the least of several counts is used.
  std::uint64_t least = ~std::uint64_t{0};
  for (int attempt = 0; attempt < 8 && least > 0; ++attempt) {
    const auto less = allocations_of(fewer), all = allocations_of(more);
    least = std::min(least, all > less ? all - less : 0);
  }
  EXPECT_GT(allocations.load(), 0U) << "nothing was counted";
  EXPECT_EQ(least, 0U) << "allocations in " << more - fewer << " steps";
}

INSTANTIATE_TEST_SUITE_P(
    Pes, SteadyDynamics,
    ::testing::Combine(::testing::Values(1, 2),
                       ::testing::Values(ab_initio::Orthonormality::constrained,
                                         ab_initio::Orthonormality::free),
                       ::testing::Values(ab_initio::DivisionSettings{2, 2, 4},
                                         ab_initio::DivisionSettings{2, 2, 4, 2, 0, 3, 4})));

INSTANTIATE_TEST_SUITE_P(Pes, SteadyGroundState,
                         ::testing::Combine(::testing::Values(1, 2, 4),
                                            ::testing::Values("PW92", "PBE"),
                                            ::testing::Values(ab_initio::IonMethod::exact,
                                                              ab_initio::IonMethod::splines)));

}  // namespace
}  // namespace fg::test
