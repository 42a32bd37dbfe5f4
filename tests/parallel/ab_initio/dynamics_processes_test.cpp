// SPDX-License-Identifier: BSD-3-Clause
//
// The same dynamics, step by step, on any number of processes and PEs, under the maps of planes,
// of blocks and of tori in prisms; an error of a step reaches all. Started by mpiexec; process 0
// compares with what it computes alone.
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "ab_initio/assembly.hpp"
#include "base/error.hpp"
#include "support/ab_initio/gth_jobs.hpp"
#include "support/ab_initio/placements.hpp"
#include "support/this_process.hpp"

namespace fg::test {
namespace {

using ab_initio::DynamicsKind;
using ab_initio::DynamicsStep;
using ab_initio::GroundState;
using ab_initio::Job;
using ab_initio::Orthonormality;

/// A row of nodes, each of which is a prism.
std::string torus(int pes) {
  const std::string nodes = std::to_string(pes * transport().processes());
  return "torus-" + nodes + "x1x1-" + nodes;
}

/// Two rows of nodes, each of which is a prism.
std::string two_prisms() {
  return "torus-" + std::to_string(transport().processes()) + "x2x1-2";
}

struct Outcome {
  std::vector<DynamicsStep> steps;
  GroundState end;
};

/// Process 0 gets what the run gives.
Outcome outcome_of(const Job& job, const MachineOptions& options) {
  ab_initio::ProgressQueue progress;
  const auto assembly = ab_initio::make_assembly(job, options, progress);
  if (options.transport && !is_first()) {
    assembly->serve();
    return {};
  }
  Outcome outcome{.steps = {}, .end = assembly->run_dynamics()};
  for (const auto& one : progress.take(std::chrono::milliseconds(0)))
    if (const auto* step = std::get_if<DynamicsStep>(&one)) outcome.steps.push_back(*step);
  return outcome;
}

struct Case {
  const char* name;
  DynamicsKind kind = DynamicsKind::car_parrinello;
  Orthonormality orthonormality = Orthonormality::constrained;
  ab_initio::DivisionSettings division = {2, 2, 4};
  bool spin = false, ions_rest = false;
  ab_initio::IonMethod ions = ab_initio::IonMethod::exact;

  Job job() const {
    Job job = spin ? spin_job() : gth_job();
    job.division = division;
    job.nonlocal.method = job.local.method = ions;
    job.ground_state.start = ab_initio::StartKind::atomic;
    job.ground_state.tolerance = kind == DynamicsKind::car_parrinello ? 0.05 : 1e-3;
    for (std::size_t i = 0; i < job.positions.size(); ++i)
      job.velocities.push_back(Vec3{1e-4, -2e-4, 5e-5} * (static_cast<double>(i % 3) - 1));
    job.dynamics = {.kind = kind,
                    .timestep = kind == DynamicsKind::car_parrinello ? 5.0 : 20.0,
                    .steps = 4,
                    .ions_rest = ions_rest,
                    .seed = 3,
                    .orthonormality = orthonormality,
                    .fictitious_mass = 400,
                    .mass_cutoff = 1.5,
                    .constraint_tolerance = 1e-12,
                    .reset_above = 1e-6,
                    .predictor_order = 1};
    if (!ions_rest)
      job.dynamics.ion_bath = {
          .kind = ab_initio::IonBathKind::langevin, .temperature = 0.001, .time_constant = 500};
    return job;
  }
};
class SameDynamics : public ::testing::TestWithParam<Case> {};

TEST_P(SameDynamics, OnAnyProcessesPesAndMaps) {
  const Job job = GetParam().job();
  Outcome alone;
  if (is_first()) {
    alone = outcome_of(job, {.pes = 2, .pin = false});
    ASSERT_EQ(alone.steps.size(), 5U);
  }
  const auto check = [&](const MachineOptions& options, const std::string& what) {
    const Outcome outcome = outcome_of(job, options);
    if (!is_first()) return;
    expect_same_state(outcome.end, alone.end, what);
    EXPECT_EQ(outcome.end.positions, alone.end.positions) << what;
    ASSERT_EQ(outcome.steps.size(), alone.steps.size()) << what;
    for (std::size_t i = 0; i < alone.steps.size(); ++i) {
      const DynamicsStep &one = outcome.steps[i], &other = alone.steps[i];
      EXPECT_EQ(one.conserved(), other.conserved()) << what << ", step " << i;
      EXPECT_EQ(one.fictitious_kinetic, other.fictitious_kinetic) << what << ", step " << i;
      EXPECT_EQ(one.deviation, other.deviation) << what << ", step " << i;
      EXPECT_EQ(one.iterations, other.iterations) << what << ", step " << i;
    }
  };
  check(shared(1), "1 PE");
  check(shared(2, "plane"), "planes");
  check(shared(3, "hybrid"), "hybrid");
  check(shared(2, torus(2)), torus(2));
  check(shared(2, two_prisms()), two_prisms());
  check(shared(2, "cost"), "the default map");
  check(shared(1, "hashed", 1), "a communication thread");
}

INSTANTIATE_TEST_SUITE_P(
    Jobs, SameDynamics,
    ::testing::Values(
        Case{"Constrained"},
        Case{.name = "ConstrainedInGroupsAndTiles", .division = {1, 1, 2, 3, 3}, .spin = true},
        Case{.name = "ConstrainedAmongIonsAtRest", .division = {1, 1, 2, 3, 3}, .ions_rest = true},
        Case{.name = "Free", .orthonormality = Orthonormality::free},
        Case{.name = "FreeInGroupsAndTiles",
             .orthonormality = Orthonormality::free,
             .division = {1, 1, 2, 3, 3},
             .spin = true},
        Case{.name = "FreeBySplines",
             .orthonormality = Orthonormality::free,
             .ions = ab_initio::IonMethod::splines},
        Case{.name = "BornOppenheimer", .kind = DynamicsKind::born_oppenheimer},
        Case{.name = "BornOppenheimerInGroupsAndTiles",
             .kind = DynamicsKind::born_oppenheimer,
             .division = {1, 1, 2, 3, 3},
             .spin = true}),
    [](const auto& info) { return info.param.name; });

TEST(DynamicsOverProcesses, AStepThatCannotBeMadeEndsAll) {
  // The first tile of the matrices finds it, wherever that is.
  Job job = Case{.name = "Constrained", .division = {1, 1, 2, 3, 3}}.job();
  job.dynamics.steps = 1;
  ab_initio::ProgressQueue progress;
  const auto assembly = ab_initio::make_assembly(job, shared(2), progress);
  if (!is_first()) return assembly->serve();
  assembly->run_dynamics();
  job.dynamics.timestep = 3000;
  job.dynamics.steps = 9;
  try {
    assembly->continue_dynamics();
    FAIL() << "it went on";
  } catch (const NumericsError& error) {
    EXPECT_NE(error.parts().where.find("step 2 of the dynamics"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace fg::test
