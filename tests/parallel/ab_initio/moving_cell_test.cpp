// SPDX-License-Identifier: BSD-3-Clause
//
// Dynamics under an outer pressure, from the ground state of a crystal of silicon that is too small
// for it, or of molecules: the conserved energy, the way back, the same bits on any PEs and maps,
// the cell that relaxes, and the one that collapses.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "../../unit/records/job_file.hpp"
#include "ab_initio/checkpoints/kept_orbitals.hpp"
#include "base/error.hpp"
#include "base/units.hpp"
#include "support/ab_initio/cells_of_jobs.hpp"
#include "support/ab_initio/dynamics_runs.hpp"

namespace fg::test {
namespace {

using ab_initio::DynamicsKind;
using ab_initio::Job;
using ab_initio::Orthonormality;

constexpr double gpa = 1e4 / units::pressure_in_bar;

/// Eight atoms of silicon in their cube, whose edge is 10.2 bohr at rest, at a low cutoff.
Job silicon(double edge) {
  Job job = with_long_tables(gth_job());
  job.title = "silicon";
  job.cell.vectors = {Vec3{edge, 0, 0}, Vec3{0, edge, 0}, Vec3{0, 0, edge}};
  job.positions.clear();
  for (const Vec3& corner :
       {Vec3{0, 0, 0}, Vec3{0, 0.5, 0.5}, Vec3{0.5, 0, 0.5}, Vec3{0.5, 0.5, 0}})
    for (const double by : {0.0, 0.25}) job.positions.push_back((corner + Vec3{by, by, by}) * edge);
  // Small displacements, so that nothing is kept by symmetry.
  for (std::size_t i = 0; i < 8; ++i)
    job.positions[i][static_cast<int>(i % 3)] += 0.03 * (i % 2 == 0 ? 1.0 : -0.7);
  job.species_of.assign(8, 0);
  job.masses.assign(8, 51196);
  job.electrons = {.cutoff = 3, .grid = {18, 18, 18}, .bands = 16, .functional = "PW92"};
  job.division = {.state_grain = 8, .wave_parts = 1, .density_parts = 2};
  job.ground_state.start = ab_initio::StartKind::atomic;
  return job;
}

Job moving(Job job, MovingCell cell, Orthonormality orthonormality, double timestep,
           std::int64_t steps) {
  job.ground_state.tolerance = 1e-6;
  job.dynamics = {.kind = DynamicsKind::car_parrinello,
                  .timestep = timestep,
                  .steps = steps,
                  .orthonormality = orthonormality,
                  .fictitious_mass = 300,
                  .mass_cutoff = 1.5,
                  .constraint_tolerance = 1e-12,
                  .reset_above = 1,
                  .cell = {.moves = cell, .pressure = 2 * gpa, .mass = 8000}};
  return job;
}

double change_of_volume(const std::vector<ab_initio::DynamicsStep>& steps) {
  return steps.back().cell.volume() / steps.front().cell.volume() - 1;
}

TEST(MovingCell, OfSiliconConservesTheEnergyToSecondOrder) {
  for (const MovingCell cell : {MovingCell::isotropic, MovingCell::lengths, MovingCell::full}) {
    const auto of = [&](double timestep, std::int64_t steps) {
      return steps_of(moving(silicon(9.8), cell, Orthonormality::constrained, timestep, steps));
    };
    const auto whole = of(10, 24), half = of(5, 48);
    const std::string what = std::to_string(static_cast<int>(cell));
    EXPECT_GT(change_of_volume(half), 0.005) << what;
    double most = 0;
    for (const auto& one : half) most = std::max(most, one.cell_kinetic);
    EXPECT_LT(wandering(half), 0.02 * most) << what;
    EXPECT_NEAR(wandering(whole) / wandering(half), 4, 1) << what;
  }
}

TEST(MovingCell, ConservesTheEnergyOfMoleculesInEveryWay) {
  for (const auto method : {ab_initio::IonMethod::exact, ab_initio::IonMethod::splines})
    for (const bool spin : {false, true})
      for (const Orthonormality how : {Orthonormality::constrained, Orthonormality::free}) {
        Job job = with_long_tables(with_core(spin ? spin_job("PBE") : gth_job("PBE")));
        job.nonlocal.method = job.local.method = method;
        const auto of = [&](double timestep, std::int64_t steps) {
          return steps_of(moving(job, MovingCell::full, how, timestep, steps));
        };
        const auto whole = of(6, 40), half = of(3, 80);
        const std::string what = std::to_string(static_cast<int>(method)) + std::to_string(spin) +
                                 std::to_string(static_cast<int>(how));
        EXPECT_GT(fastest(half), 0.002) << what;
        EXPECT_LT(wandering(half), 0.01 * fastest(half)) << what;
        EXPECT_NEAR(wandering(whole) / wandering(half), 4, 1) << what;
      }
}

TEST(MovingCell, GoesBackTheWayItCame) {
  for (const Orthonormality how : {Orthonormality::constrained, Orthonormality::free}) {
    DynamicsRun run(moving(silicon(9.8), MovingCell::full, how, 6, 20));
    run.begin();
    const auto far = run.end.cell;
    run.job.dynamics.timestep = -6;
    run.job.dynamics.steps = 40;
    run.go_on();
    ASSERT_EQ(run.steps.size(), 41U);
    EXPECT_GT(norm(far.vectors[0] - run.job.cell.vectors[0]), 0.01);
    // Roundings and the tolerance of the constraint, in 20 steps.
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_LT(norm(run.end.cell.vectors[i] - run.job.cell.vectors[i]), 1e-9);
    for (std::size_t i = 0; i < 8; ++i)
      EXPECT_LT(norm(run.end.positions[i] - run.job.positions[i]), 1e-9);
  }
}

TEST(MovingCell, HasTheSameBitsOnAnyPesAndMaps) {
  for (const ab_initio::IonMethod method :
       {ab_initio::IonMethod::exact, ab_initio::IonMethod::splines}) {
    Job job = with_long_tables(spin_job("PBE"));
    job = moving(job, MovingCell::full, Orthonormality::constrained, 6, 4);
    job.division = {2, 2, 4, 1, 0, 1, 3};
    job.nonlocal.method = job.local.method = method;
    job.dynamics.ion_bath = {
        .kind = ab_initio::IonBathKind::langevin, .temperature = 0.001, .time_constant = 500};
    expect_same_bits_on_any_pes_and_maps(job);
  }
}

TEST(MovingCell, ConservesTheEnergyOfBornOppenheimerDynamicsWithABath) {
  const auto of = [&](double timestep, std::int64_t steps) {
    Job job = moving(silicon(9.8), MovingCell::full, Orthonormality::constrained, timestep, steps);
    job.dynamics.kind = DynamicsKind::born_oppenheimer;
    job.dynamics.predictor_order = 2;
    job.ground_state.tolerance = 1e-7;
    job.dynamics.ion_bath = {
        .kind = ab_initio::IonBathKind::nose_hoover, .temperature = 0.001, .time_constant = 1000};
    return steps_of(job);
  };
  const auto whole = of(40, 10), half = of(20, 20);
  EXPECT_GT(change_of_volume(half), 0.01);
  EXPECT_NEAR(wandering(whole) / wandering(half), 4, 1);
}

/// Friction takes the cell to where its pressure is that from outside.
TEST(MovingCell, RelaxesToTheOuterPressure) {
  Job job = moving(silicon(9.8), MovingCell::lengths, Orthonormality::constrained, 40, 60);
  job.dynamics.kind = DynamicsKind::born_oppenheimer;
  job.dynamics.predictor_order = 2;
  job.ground_state.tolerance = 1e-5;
  job.dynamics.cell.friction = 1.0 / 200;
  job.dynamics.cell.mass = 3000;
  const auto steps = steps_of(job);
  const double pressure = 2 * gpa;
  EXPECT_GT(std::abs(steps.front().pressure - pressure), 3 * gpa);
  EXPECT_LT(std::abs(steps.back().pressure - pressure), 0.5 * gpa);
  EXPECT_GT(change_of_volume(steps), 0.02);
}

TEST(MovingCell, ThatCollapsesEndsTheRunWithAGoodCheckpoint) {
  const TestFolder folder;
  const std::string path = folder / "checkpoint.h5";
  Job job = moving(silicon(9.8), MovingCell::isotropic, Orthonormality::constrained, 6, 400);
  job.species = gth_job().species;  // tables that end soon
  job.dynamics.cell.pressure = 400 * gpa;
  ab_initio::ProgressQueue progress;
  const auto end = ab_initio::make_assembly(job, {.pes = 2, .pin = false}, progress, {.path = path})
                       ->run_dynamics();
  ASSERT_TRUE(end.broken_off);
  EXPECT_NE(end.broken_off->where.find("step " + std::to_string(end.step)), std::string::npos);
  EXPECT_GT(end.step, 0);
  EXPECT_LT(end.step, 400);
  const auto state = ab_initio::load_dynamics(path, job);
  ASSERT_TRUE(state);
  EXPECT_EQ(state->step, end.step);
  EXPECT_EQ(state->cell, end.cell);
}

}  // namespace
}  // namespace fg::test
