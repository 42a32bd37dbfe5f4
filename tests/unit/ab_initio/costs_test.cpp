// SPDX-License-Identifier: BSD-3-Clause
//
// The operations that a simulated machine is charged for add up to those of whole transforms and
// products, for any division.
#include "ab_initio/division/costs.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "ab_initio/division/basis.hpp"
#include "support/ab_initio/gth_jobs.hpp"

namespace fg::test {
namespace {

using namespace ab_initio;

double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

TEST(Costs, OfTransformsAreTheSameForAnyDivision) {
  const auto costs_of = [](const DivisionSettings& division) {
    Job job = gth_job();
    job.division = division;
    const Basis basis(job);
    return std::array{TransformCosts(*basis.orbital_plan()), TransformCosts(*basis.density_plan())};
  };
  const auto whole = costs_of({5, 1, 1});
  for (const int pieces : {1, 4}) {
    const auto parts = costs_of({2, 3, 9, 1, 0, 1, pieces});
    for (std::size_t i = 0; i < 2; ++i) {
      ASSERT_EQ(whole[i].columns.size(), 1U);
      ASSERT_EQ(parts[i].columns.size(), i == 0 ? 3U : 9U * static_cast<std::size_t>(pieces));
      EXPECT_NEAR(sum(parts[i].columns), whole[i].columns[0], 1e-9 * whole[i].columns[0]);
      EXPECT_NEAR(sum(parts[i].planes), whole[i].planes[0], 1e-9 * whole[i].planes[0]);
    }
  }
  // All lines along x, and less than all of the others.
  const double lines = 18.0 * 18 * line_operations(18);
  EXPECT_GT(whole[0].planes[0], lines);
  EXPECT_LT(whole[0].planes[0], 2 * lines);
  EXPECT_GT(whole[1].columns[0], whole[0].columns[0]);
  EXPECT_LT(whole[1].columns[0], lines);
}

TEST(Costs, OfLinesAndProductsAreTheUsualCounts) {
  EXPECT_DOUBLE_EQ(line_operations(16), 5.0 * 16 * 4);
  EXPECT_DOUBLE_EQ(line_operations(1), 0);
  EXPECT_DOUBLE_EQ(block_product(3, 5, 7), 2.0 * 3 * 5 * 14);
  EXPECT_DOUBLE_EQ(matrix_product(3, 5, 7), 2.0 * 3 * 5 * 7);
}

}  // namespace
}  // namespace fg::test
