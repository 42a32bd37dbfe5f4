// SPDX-License-Identifier: BSD-3-Clause
//
// A step takes no memory from the system: a longer run makes as many allocations as a shorter one.
// The steps include rebuilds; their vectors have reached their full size before.
#include <gtest/gtest.h>

#include <tuple>

#include "classical/machinery.hpp"
#include "support/classical/water_job.hpp"
#include "support/count_allocations.hpp"

namespace fg::test {
namespace {

using namespace fg::classical;

/// Number of PEs; with virtual sites, restraints, baths and impulses or without.
class SteadyState : public ::testing::TestWithParam<std::tuple<int, bool>> {};

TEST_P(SteadyState, AllocatesNothing) {
  ASSERT_TRUE(counts_allocations);
  const auto [pes, sites] = GetParam();
  WaterJobOptions options{.integrator = IntegratorKind::langevin};
  if (sites) {
    options.sites = options.restraints = options.rescaling = true;
    options.integrator = IntegratorKind::verlet;
    options.barostat = BarostatKind::stochastic_rescaling;
    options.coupling = BoxCoupling::anisotropic;
    options.pair_interval = options.long_range_interval = 2;
  }
  const Job job = water_job(options);
  const System system(job);
  State state = state_of_job(job);
  prepare_for_dynamics(system, state);
  OutputQueue output;
  const auto machinery =
      make_machinery(system, {.pes = pes, .pin = false, .profile = true}, output);
  const auto allocations_of = [&](std::int64_t steps) {
    const auto before = allocations.load();
    machinery->run(Schedule(job.settings, job.dynamics, 0, steps), state);
    const auto used = allocations.load() - before;
    output.take(std::chrono::milliseconds(0));
    return used;
  };
  // Twice the longest run, so that every list, pool and buffer has reached its largest size. The
  // pools may still grow if more messages happen to wait at once, and the profile at the end of a
  // run copies names in the order of its times, so the least of several counts is used.
  allocations_of(200);
  allocations_of(200);
  std::uint64_t least = ~std::uint64_t{0};
  for (int attempt = 0; attempt < 8 && least > 0; ++attempt) {
    const auto fewer = allocations_of(50);
    const auto more = allocations_of(200);
    least = std::min(least, more > fewer ? more - fewer : 0);
  }
  EXPECT_GT(allocations.load(), 0u) << "nothing was counted";
  EXPECT_EQ(least, 0u) << "allocations in 150 steps";
}

INSTANTIATE_TEST_SUITE_P(Pes, SteadyState,
                         ::testing::Combine(::testing::Values(1, 2, 4), ::testing::Bool()));

}  // namespace
}  // namespace fg::test
