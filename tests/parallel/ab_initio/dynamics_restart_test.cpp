// SPDX-License-Identifier: BSD-3-Clause
//
// A dynamics that is stopped and goes on, from its checkpoint with new objects, has the bits of one
// that was not stopped, on any PEs and maps.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "../../unit/records/job_file.hpp"
#include "ab_initio/assembly.hpp"
#include "ab_initio/checkpoints/kept_orbitals.hpp"
#include "base/error.hpp"
#include "support/ab_initio/cells_of_jobs.hpp"
#include "support/expect_refused.hpp"

namespace fg::test {
namespace {

using ab_initio::DynamicsKind;
using ab_initio::DynamicsStep;
using ab_initio::GroundState;
using ab_initio::Job;
using ab_initio::KeptOrbitals;
using ab_initio::Orthonormality;

struct Case {
  const char* name;
  DynamicsKind kind = DynamicsKind::car_parrinello;
  Orthonormality orthonormality = Orthonormality::constrained;
  ab_initio::IonBathKind bath = ab_initio::IonBathKind::none;
  double reset_above = 1;
  int predictor_order = 2;
  bool spin = false, ions_rest = false;
  ab_initio::IonMethod ions = ab_initio::IonMethod::exact;
  bool keeps_distances = false;
  MovingCell cell = MovingCell::nothing;

  Job job() const {
    Job job = spin ? spin_job() : gth_job();
    job.division = {2, 2, 4};
    job.nonlocal.method = job.local.method = ions;
    job.ground_state.start = ab_initio::StartKind::atomic;
    job.ground_state.tolerance = kind == DynamicsKind::car_parrinello ? 1e-3 : 1e-5;
    job.velocities.assign(job.positions.size(), {});
    for (std::size_t i = 0; i < job.velocities.size(); ++i)
      job.velocities[i] = Vec3{1e-4, -2e-4, 5e-5} * (static_cast<double>(i % 3) - 1);
    job.dynamics = {.kind = kind,
                    .timestep = kind == DynamicsKind::car_parrinello ? 4.0 : 20.0,
                    .steps = steps,
                    .ions_rest = ions_rest,
                    .seed = 7,
                    .orthonormality = orthonormality,
                    .fictitious_mass = 300,
                    .mass_cutoff = 1.5,
                    .constraint_tolerance = 1e-12,
                    .reset_above = reset_above,
                    .predictor_order = predictor_order};
    if (ions_rest) return job;
    if (keeps_distances)
      for (const int h : {1, 2})
        job.dynamics.distances.push_back({0, h, norm(job.positions[h] - job.positions[0])});
    if (cell != MovingCell::nothing) job = with_long_tables(job);
    job.dynamics.cell = {.moves = cell, .pressure = 1e-4, .mass = 4000, .friction = 1e-4};
    job.dynamics.ion_bath = {.kind = bath, .temperature = 0.001, .time_constant = 500};
    if (bath == ab_initio::IonBathKind::nose_hoover && kind == DynamicsKind::car_parrinello)
      job.dynamics.electron_bath = {
          .kind = ab_initio::ElectronBathKind::nose_hoover, .kinetic = 0.001, .time_constant = 200};
    return job;
  }
  static constexpr std::int64_t steps = 9;
};

/// What a part of a run gives.
struct Part {
  std::vector<DynamicsStep> steps;
  GroundState end;
};

Part part_of(const Job& job, const KeptOrbitals& kept, int pes = 1, const char* map = "block",
             bool checkpoints = false) {
  ab_initio::ProgressQueue progress;
  progress.checkpoint_wanted = checkpoints;
  const auto assembly =
      ab_initio::make_assembly(job, {.pes = pes, .map = map, .pin = false}, progress, kept);
  Part part{.steps = {}, .end = assembly->run_dynamics()};
  for (const auto& one : progress.take(std::chrono::milliseconds(0)))
    if (const auto* step = std::get_if<DynamicsStep>(&one)) part.steps.push_back(*step);
  return part;
}

KeptOrbitals from(const std::string& path, const Job& job) {
  KeptOrbitals kept{.path = path, .source = path};
  kept.search = ab_initio::load_search(path, job);
  kept.dynamics = ab_initio::load_dynamics(path, job);
  return kept;
}

void expect_same_step(const DynamicsStep& step, const DynamicsStep& expected) {
  EXPECT_EQ(step.number, expected.number);
  const std::string where = "step " + std::to_string(expected.number);
  EXPECT_EQ(step.time, expected.time) << where;
  EXPECT_EQ(step.energies.terms(), expected.energies.terms()) << where;
  EXPECT_EQ(step.ion_kinetic, expected.ion_kinetic) << where;
  EXPECT_EQ(step.fictitious_kinetic, expected.fictitious_kinetic) << where;
  EXPECT_EQ(step.bath, expected.bath) << where;
  EXPECT_EQ(step.cell, expected.cell) << where;
  EXPECT_EQ(step.cell_kinetic, expected.cell_kinetic) << where;
  EXPECT_EQ(step.pressure, expected.pressure) << where;
  EXPECT_EQ(step.iterations, expected.iterations) << where;
  EXPECT_EQ(step.deviation, expected.deviation) << where;
  EXPECT_EQ(step.constraint_forces, expected.constraint_forces) << where;
}

class DynamicsRestart : public ::testing::TestWithParam<Case> {};

TEST_P(DynamicsRestart, HasTheBitsOfARunThatWasNotStopped) {
  const Job job = GetParam().job();
  const Part whole = part_of(job, {});
  ASSERT_EQ(whole.steps.size(), static_cast<std::size_t>(job.dynamics.steps) + 1);
  EXPECT_EQ(whole.end.step, job.dynamics.steps);
  const TestFolder folder;
  const std::string path = folder / "checkpoint.h5";
  // Stopped twice, on other PEs each time.
  const Part first = part_of(job, {.path = path, .stop_after = 3}, 2);
  EXPECT_TRUE(first.end.stopped);
  EXPECT_EQ(first.end.step, 3);
  KeptOrbitals kept = from(path, job);
  ASSERT_TRUE(kept.dynamics);
  EXPECT_EQ(kept.dynamics->step, 3);
  kept.stop_after = 5;
  const Part second = part_of(job, kept, 3, "hashed");
  const Part third = part_of(job, from(path, job), 1);
  std::vector<DynamicsStep> steps = first.steps;
  for (const Part* part : {&second, &third})
    steps.insert(steps.end(), part->steps.begin(), part->steps.end());
  ASSERT_EQ(steps.size(), whole.steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) expect_same_step(steps[i], whole.steps[i]);
  EXPECT_EQ(third.end.digest, whole.end.digest);
  EXPECT_EQ(third.end.positions, whole.end.positions);
  EXPECT_EQ(third.end.eigenvalues, whole.end.eigenvalues);
  // Once more from the end: nothing is left to do.
  const Part end = part_of(job, from(path, job), 2);
  EXPECT_TRUE(end.steps.empty());
  EXPECT_EQ(end.end.digest, whole.end.digest);
}

INSTANTIATE_TEST_SUITE_P(
    Jobs, DynamicsRestart,
    ::testing::Values(Case{"Constrained"},
                      Case{.name = "ConstrainedWithChains",
                           .bath = ab_initio::IonBathKind::nose_hoover},
                      Case{.name = "ConstrainedBySplines", .ions = ab_initio::IonMethod::splines},
                      Case{.name = "ConstrainedWithSpin", .spin = true},
                      Case{.name = "AmongIonsAtRest", .ions_rest = true},
                      Case{.name = "ConstrainedWithKeptDistances",
                           .bath = ab_initio::IonBathKind::langevin,
                           .keeps_distances = true},
                      Case{.name = "Free", .orthonormality = Orthonormality::free},
                      Case{.name = "FreeWithResets",
                           .orthonormality = Orthonormality::free,
                           .bath = ab_initio::IonBathKind::nose_hoover,
                           .reset_above = 0},
                      Case{.name = "FreeWithNoise",
                           .orthonormality = Orthonormality::free,
                           .bath = ab_initio::IonBathKind::langevin},
                      Case{.name = "BornOppenheimer", .kind = DynamicsKind::born_oppenheimer},
                      Case{.name = "BornOppenheimerOfLastOrbitals",
                           .kind = DynamicsKind::born_oppenheimer,
                           .bath = ab_initio::IonBathKind::rescaling,
                           .predictor_order = -1},
                      Case{.name = "ConstrainedInAMovingCell",
                           .bath = ab_initio::IonBathKind::nose_hoover,
                           .cell = MovingCell::full},
                      Case{.name = "FreeBySplinesInAMovingCell",
                           .orthonormality = Orthonormality::free,
                           .ions = ab_initio::IonMethod::splines,
                           .cell = MovingCell::lengths},
                      Case{.name = "BornOppenheimerInAMovingCell",
                           .kind = DynamicsKind::born_oppenheimer,
                           .cell = MovingCell::isotropic}),
    [](const auto& info) { return info.param.name; });

TEST(DynamicsCheckpoints, ChangeNothingInTheRunThatWritesThem) {
  for (const Case& one : {Case{"Constrained"}, Case{.name = "BornOppenheimer",
                                                    .kind = DynamicsKind::born_oppenheimer}}) {
    const Job job = one.job();
    const TestFolder folder;
    const Part kept = part_of(job, {.path = folder / "checkpoint.h5"}, 2, "block", true);
    EXPECT_EQ(kept.end.digest, part_of(job, {}).end.digest) << one.name;
  }
}

TEST(DynamicsCheckpoints, OfTheSearchBeforeTheFirstStepGoOnToo) {
  const Job job = Case{"Constrained"}.job();
  Job few = job;
  few.ground_state.iterations = 3;
  const TestFolder folder;
  const std::string path = folder / "checkpoint.h5";
  part_of(few, {.path = path});
  KeptOrbitals kept = from(path, job);
  EXPECT_FALSE(kept.dynamics);
  EXPECT_EQ(kept.search->iteration(), 3);
  EXPECT_EQ(part_of(job, kept).end.digest, part_of(job, {}).end.digest);
}

TEST(DynamicsCheckpoints, OfAnotherJobAreRefused) {
  const Job job = Case{"Constrained"}.job();
  const TestFolder folder;
  const std::string path = folder / "checkpoint.h5";
  part_of(job, {.path = path, .stop_after = 2});
  Job other = job;
  other.dynamics.timestep = 5;
  expect_refused<InputError>([&] { from(path, other); }, "another job");
  other = job;
  other.positions[0].x += 0.1;
  expect_refused<InputError>([&] { from(path, other); }, "another job");
  other = job;
  other.dynamics.steps = 1;  // a run may be made longer, but not end before its checkpoint
  expect_refused<InputError>([&] { from(path, other); }, "step 2 is beyond the last one");
}

}  // namespace
}  // namespace fg::test
