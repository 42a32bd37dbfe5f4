// SPDX-License-Identifier: BSD-3-Clause
//
// The cell is state: ground states in another cell by the same objects have the bits that new
// objects find there, with the waves of the first cell; and the stress is the slope of their
// energies, without any wave that comes in or leaves.
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <tuple>

#include "base/error.hpp"
#include "support/ab_initio/cells_of_jobs.hpp"
#include "support/ab_initio/ground_states.hpp"
#include "support/expect_refused.hpp"

namespace fg::test {
namespace {

using ab_initio::GroundState;
using ab_initio::Job;
using ab_initio::ProgressQueue;

class CellPlacement : public ::testing::TestWithParam<std::tuple<PlacementCase, Shape>> {};

TEST_P(CellPlacement, GivesTheBitsOfNewObjectsInTheNewCell) {
  const auto& [placement, shape] = GetParam();
  const Job job = with_long_tables(with_shape(placement.job(), shape));
  const Job moved = in_another_cell(moved_job(job), shape);
  const GroundState expected = find_ground_state(moved), here = find_ground_state(job);
  EXPECT_NE(expected.energies.total(), here.energies.total());
  for (const int pes : {1, 2, 4}) {
    const std::string what = std::to_string(pes) + " PEs";
    ProgressQueue progress;
    const auto objects = ab_initio::make_assembly(
        job, {.pes = pes, .map = pes == 4 ? "hashed" : "block", .pin = false}, progress);
    // The first search starts as the job says; so does that of the new objects.
    const GroundState there = objects->find_ground_state(moved.positions, moved.cell);
    expect_same_state(there, expected, what);
    EXPECT_EQ(there.cell, moved.cell);
    EXPECT_EQ(there.positions, moved.positions);
  }
}

TEST_P(CellPlacement, LeadsBackAndForthByTheSameOrbitals) {
  const auto& [placement, shape] = GetParam();
  Job job = with_long_tables(with_shape(placement.job(), shape));
  job.ground_state.iterations = 200;
  job.ground_state.tolerance = 1e-8;
  const Job moved = in_another_cell(job, shape);
  ProgressQueue progress;
  const auto objects = ab_initio::make_assembly(job, {.pes = 2, .pin = false}, progress);
  const GroundState first = objects->find_ground_state();
  const GroundState there = objects->find_ground_state(moved.positions, moved.cell);
  const GroundState back = objects->find_ground_state();
  ASSERT_TRUE(first.converged && there.converged && back.converged);
  // To second order in the residuals.
  EXPECT_NEAR(back.energies.total(), first.energies.total(), 1e-11);
  EXPECT_NEAR(there.energies.total(), find_ground_state(moved, 2).energies.total(), 1e-11);
  EXPECT_EQ(back.cell, job.cell);
}

std::vector<PlacementCase> periodic_cases() {
  std::vector<PlacementCase> some;
  for (const PlacementCase& one : placement_cases())
    if (!one.isolated) some.push_back(one);
  return some;
}

INSTANTIATE_TEST_SUITE_P(Jobs, CellPlacement,
                         ::testing::Combine(::testing::ValuesIn(periodic_cases()),
                                            ::testing::Values(Shape::orthorhombic,
                                                              Shape::triclinic)),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param).name) +
                                  (std::get<1>(info.param) == Shape::orthorhombic ? "Orthorhombic"
                                                                                  : "Triclinic");
                         });

TEST(CellPlacement, HasTheStressThatIsTheSlopeOfTheEnergy) {
  for (const bool spin : {false, true}) {
    Job job = with_long_tables(with_core(spin ? spin_job("PBE") : gth_job("PBE")));
    job.ground_state.start = ab_initio::StartKind::atomic;
    const Job other = in_another_cell(job, Shape::triclinic);
    ProgressQueue progress;
    const auto objects = ab_initio::make_assembly(job, {.pin = false}, progress);
    const auto at = [&](int a, int b, double strain) {
      const Job one = strained(other, a, b, strain);
      return objects->find_ground_state(one.positions, one.cell);
    };
    const GroundState middle = at(0, 0, 0);
    for (const auto& [a, b] : {std::pair{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}) {
      // PBE leaves out points with too little density; which they are changes with the cell, and
      // with them the slope by some 1e-9 hartree/bohr^3.
      const double expected =
          slope([&](double strain) { return at(a, b, strain).energies.total(); }, 1e-3);
      EXPECT_NEAR(middle.stress[static_cast<std::size_t>(3 * a + b)],
                  expected / other.cell.volume(), 5e-9)
          << a << b << " " << spin;
    }
  }
}

TEST(CellPlacement, RefusesCellsThatCannotBe) {
  const Job job = gth_job();
  const auto placed = [&](const Job& of, const electrons::Lattice& cell) {
    ProgressQueue progress;
    return ab_initio::make_assembly(of, {.pes = 2, .pin = false}, progress)
        ->find_ground_state(of.positions, cell);
  };
  electrons::Lattice cell = job.cell;
  for (Vec3& v : cell.vectors) v = v * 0.9;
  expect_refused<InputError>([&] { placed(job, cell); }, "too small for the tables");
  cell.vectors[2] = cell.vectors[0] + cell.vectors[1];
  expect_refused<InputError>([&] { placed(job, cell); }, "lie in a plane");
  cell.vectors[2].x = std::numeric_limits<double>::quiet_NaN();
  expect_refused<InputError>([&] { placed(job, cell); }, "not finite");
  PlacementCase isolated;
  isolated.isolated = true;
  expect_refused<InputError>([&] { placed(isolated.job(), job.cell); }, "has one cell");
}

}  // namespace
}  // namespace fg::test
