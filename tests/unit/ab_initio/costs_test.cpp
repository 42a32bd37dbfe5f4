// SPDX-License-Identifier: BSD-3-Clause
//
// The operations that a simulated machine is charged for add up to those of whole transforms and
// products, for any division.
#include "ab_initio/division/costs.hpp"

#include <gtest/gtest.h>

#include <array>
#include <numeric>

#include "ab_initio/division/basis.hpp"
#include "ab_initio/ions/ion_costs.hpp"
#include "ab_initio/ions/ion_transforms.hpp"
#include "ab_initio/orbitals/nonlocal_splines.hpp"
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

TEST(Costs, OfIonsCountEachIonWaveAndRow) {
  const Job job = gth_job(), cored = with_core(gth_job());
  const IonCosts costs(job, IonTables(job)), with_one_core(cored, IonTables(cored));
  EXPECT_EQ(IonCosts().fields(10), 0);
  // Seven ions. Silicon, the first, has two projectors with l = 0 and one with l = 1, hydrogen
  // none.
  EXPECT_DOUBLE_EQ(costs.fields(10), operations::ion_field * 7 * 10);
  EXPECT_DOUBLE_EQ(with_one_core.fields(10), operations::ion_field * 8 * 10);
  EXPECT_DOUBLE_EQ(with_one_core.forces_of_fields(10), operations::ion_force * 8 * 10);
  EXPECT_DOUBLE_EQ(costs.projectors({0, 3}, 10),
                   (operations::phase * 3 + operations::projector * 5) * 10);
  EXPECT_DOUBLE_EQ(costs.projectors({1, 7}, 10), operations::phase * 6 * 10);
  EXPECT_DOUBLE_EQ(costs.products_of_forces(3, 10), block_product(5, 3, 10));
  EXPECT_DOUBLE_EQ(costs.sums_of_forces(10),
                   (operations::row_force * 5 + operations::projector_force * 7) * 10);
}

TEST(Costs, OfAMovingCellCountEachKindAndRow) {
  const Job job = gth_job();
  const IonTables tables(job);
  const IonCosts costs(job, tables);
  // Two kinds; three rows from two tables, of silicon.
  const auto kinds = static_cast<double>(tables.local_kinds().size());
  std::size_t tables_of_kinds = 0, rows = 0;
  for (const auto& kind : tables.projectors())
    for (const auto& table : kind.tables) {
      ++tables_of_kinds;
      rows += 2 * static_cast<std::size_t>(table.l()) + 1;
    }
  EXPECT_EQ(rows, 5U);
  EXPECT_DOUBLE_EQ(costs.fields_in_new_cell(10), operations::radial * kinds * 10);
  EXPECT_DOUBLE_EQ(costs.projectors_in_new_cell(10),
                   (operations::radial * static_cast<double>(tables_of_kinds) +
                    operations::row_in_new_cell * 5) *
                       10);
  EXPECT_GT(costs.virial_of_projectors(10), costs.virial_of_kinds(10));
  EXPECT_DOUBLE_EQ(costs.virial_of_density(10), 10 * operations::wave_virial);
}

TEST(Costs, OfSplinesAreTheSameForAnyDivision) {
  // For all parts: lines, and the points of ions, of one transform.
  const auto costs_of = [](const DivisionSettings& division) {
    Job job = gth_job();
    job.division = division;
    for (IonSettings* one : {&job.local, &job.nonlocal}) {
      one->method = IonMethod::splines;
      one->grid = {24, 24, 24};
      one->order = 6;
    }
    const Basis basis(job);
    const IonTables tables(job);
    const NonlocalSplines nonlocal(job, basis, tables);
    const IonTransforms local(job, basis, tables);
    const auto sums = [](const SplineCosts& costs, int parts) {
      std::array<double, 4> all{};
      for (int part = 0; part < parts; ++part) {
        all[0] += costs.columns(part);
        all[1] += costs.planes(part);
        all[2] += costs.gather(part);
        all[3] += costs.scatter(part);
      }
      return all;
    };
    return std::array{sums(nonlocal.costs(), basis.parts()),
                      sums(local.costs(), basis.density_parts())};
  };
  const auto whole = costs_of({5, 1, 1});
  const auto parts = costs_of({2, 3, 9, 1, 0, 1, 1});
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t k = 0; k < 4; ++k)
      EXPECT_NEAR(parts[i][k], whole[i][k], 1e-9 * whole[i][k]) << i << ' ' << k;
  // A channel of silicon, the one ion that has projectors. Seven ions of two kinds in one
  // transform.
  constexpr double points = 6 * 6 * 6;
  EXPECT_DOUBLE_EQ(whole[0][2], operations::spline_gather * points);
  EXPECT_DOUBLE_EQ(whole[0][3], operations::spline_scatter * points);
  EXPECT_DOUBLE_EQ(whole[1][2], operations::spline_gather * points * 7);
}

}  // namespace
}  // namespace fg::test
