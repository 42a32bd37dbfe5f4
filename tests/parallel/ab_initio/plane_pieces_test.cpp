// SPDX-License-Identifier: BSD-3-Clause
//
// Parts of the density that are pieces of planes: all that comes of a density, against the same
// with whole planes.
#include <gtest/gtest.h>

#include <cstddef>

#include "support/ab_initio/ground_states.hpp"
#include "support/ab_initio/placements.hpp"

namespace fg::test {
namespace {

using ab_initio::GroundState;
using ab_initio::Job;

class PlanePieces : public ::testing::TestWithParam<PlacementCase> {};

TEST_P(PlanePieces, HaveTheGroundStateOfWholePlanes) {
  Job job = GetParam().job();
  job.ground_state.iterations = 200;
  job.ground_state.tolerance = 1e-9;
  job.division = {5, 1, 1};
  const GroundState whole = find_ground_state(job);
  ASSERT_TRUE(whole.converged);
  // Unequal pieces; a row each, of two slabs.
  for (const ab_initio::DivisionSettings& division :
       {ab_initio::DivisionSettings{3, 2, 4, 1, 0, 1, 5}, {3, 1, 2, 1, 0, 3, 18}}) {
    job.division = division;
    const GroundState pieces = find_ground_state(job, 3);
    EXPECT_NEAR(pieces.energies.total(), whole.energies.total(), 1e-11);
    // The forces have errors of first order in the residuals, which are 1e-9 and less.
    for (std::size_t i = 0; i < whole.forces.size(); ++i)
      EXPECT_LT(norm(pieces.forces[i] - whole.forces[i]), 1e-7) << i;
    for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(pieces.stress[i], whole.stress[i], 1e-9) << i;
    ASSERT_EQ(pieces.density.size(), whole.density.size());
    for (std::size_t i = 0; i < whole.density.size(); ++i)
      ASSERT_NEAR(pieces.density[i], whole.density[i], 1e-7) << i;
    ASSERT_EQ(pieces.dipole.has_value(), whole.dipole.has_value());
    if (whole.dipole) {
      EXPECT_LT(norm(*pieces.dipole - *whole.dipole), 1e-6);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Jobs, PlanePieces, ::testing::ValuesIn(placement_cases()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace fg::test
