// SPDX-License-Identifier: BSD-3-Clause
//
// Positions of ions are state: ground states at other positions by the same objects have the bits
// that new objects find there from the same orbitals.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "../../unit/records/job_file.hpp"
#include "base/error.hpp"
#include "support/ab_initio/ground_states.hpp"
#include "support/ab_initio/placements.hpp"
#include "support/expect_refused.hpp"

namespace fg::test {
namespace {

using ab_initio::GroundState;
using ab_initio::Job;
using ab_initio::KeptOrbitals;
using ab_initio::ProgressQueue;

class Placement : public ::testing::TestWithParam<PlacementCase> {};

TEST_P(Placement, GivesTheBitsOfNewObjectsAtTheNewPositions) {
  const Job job = GetParam().job();
  const Job moved = moved_job(job);
  const TestFolder folder;
  GroundState expected;
  std::string before;
  for (const int pes : {1, 2, 4}) {
    const MachineOptions machine{.pes = pes, .map = pes == 4 ? "hashed" : "block", .pin = false};
    const std::string path = folder / ("checkpoint" + std::to_string(pes) + ".h5");
    ProgressQueue progress;
    GroundState at_first, later;
    {
      const auto objects = ab_initio::make_assembly(job, machine, progress, {.path = path});
      at_first = objects->find_ground_state();
    }
    // Orbitals where the ions were first.
    const auto objects = ab_initio::make_assembly(job, machine, progress);
    EXPECT_EQ(objects->find_ground_state().digest, at_first.digest);
    later = objects->find_ground_state(moved.positions);
    if (pes == 1) {
      before = at_first.digest;
      expected =
          ab_initio::make_assembly(moved, machine, progress, {.source = path})->find_ground_state();
      EXPECT_NE(expected.digest, before);
      EXPECT_NE(expected.history.front().energy, at_first.history.back().energy);
    }
    EXPECT_EQ(at_first.digest, before) << pes;
    expect_same_state(later, expected, std::to_string(pes) + " PEs");
    EXPECT_EQ(later.positions, moved.positions);
    // Back again, and there again.
    EXPECT_EQ(objects->find_ground_state().digest, before) << pes;
    EXPECT_EQ(objects->find_ground_state(moved.positions).digest, expected.digest) << pes;
  }
}

TEST_P(Placement, TheFirstSearchStartsAsTheJobSaysWhereverTheIonsAre) {
  const Job job = GetParam().job();
  const Job moved = moved_job(job);
  ProgressQueue progress;
  const auto objects = ab_initio::make_assembly(job, {.pes = 2, .pin = false}, progress);
  expect_same_state(objects->find_ground_state(moved.positions), find_ground_state(moved, 2),
                    "first");
}

INSTANTIATE_TEST_SUITE_P(Jobs, Placement, ::testing::ValuesIn(placement_cases()),
                         [](const auto& info) { return info.param.name; });

TEST(PlacementOfIons, FollowsAWayOfManySteps) {
  // Each step from the orbitals of the last one; new objects for each step read these from a file.
  Job job = gth_job("PBE");
  job.ground_state.iterations = 3;
  const TestFolder folder;
  ProgressQueue progress;
  const auto objects = ab_initio::make_assembly(job, {.pes = 2, .pin = false}, progress);
  std::string source;
  for (int step = 0; step < 5; ++step) {
    const std::string path = folder / ("step" + std::to_string(step) + ".h5");
    const GroundState fresh =
        ab_initio::make_assembly(job, {.pin = false}, progress, {.path = path, .source = source})
            ->find_ground_state();
    EXPECT_EQ(objects->find_ground_state(job.positions).digest, fresh.digest) << step;
    source = path;
    for (std::size_t i = 0; i < job.positions.size(); ++i)
      job.positions[i][static_cast<int>(i % 3)] += 0.05;
  }
}

TEST(PlacementOfIons, TakesFewerIterationsFromTheLastOrbitals) {
  Job job = gth_job("PBE");
  ProgressQueue progress;
  const auto objects = ab_initio::make_assembly(job, {.pin = false}, progress);
  const GroundState first = objects->find_ground_state();
  job.positions[1].x += 0.01;
  const GroundState second = objects->find_ground_state(job.positions);
  EXPECT_TRUE(first.converged && second.converged);
  EXPECT_LT(second.history.size(), first.history.size());
  // To second order in the residuals of 1e-7 the energies are those of the ground state.
  EXPECT_NEAR(second.energies.total(), find_ground_state(job).energies.total(), 1e-11);
}

TEST(PlacementOfIons, RefusesWhatCannotBe) {
  Job job = gth_job();
  ProgressQueue progress;
  std::vector<Vec3> positions = job.positions;
  positions[3] = positions[2];
  expect_refused<InputError>(
      [&] {
        ab_initio::make_assembly(job, {.pes = 2, .pin = false}, progress)
            ->find_ground_state(positions);
      },
      "two ions are at the same place");
  positions[3].x = std::numeric_limits<double>::quiet_NaN();
  expect_refused<NumericsError>(
      [&] {
        ab_initio::make_assembly(job, {.pes = 2, .pin = false}, progress)
            ->find_ground_state(positions);
      },
      "ion 4");
  positions.pop_back();
  const auto objects = ab_initio::make_assembly(job, {.pin = false}, progress);
  expect_refused<InternalError>([&] { objects->find_ground_state(positions); }, "positions");
  job.dispersion = {"D3 of a test", -0.125, job.positions, {}};
  const auto with_dispersion = ab_initio::make_assembly(job, {.pin = false}, progress);
  expect_refused<InputError>([&] { with_dispersion->find_ground_state(job.positions); },
                             "D3 of a test");
}

}  // namespace
}  // namespace fg::test
