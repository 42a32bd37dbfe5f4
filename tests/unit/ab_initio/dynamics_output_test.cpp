// SPDX-License-Identifier: BSD-3-Clause
//
// What a dynamics writes, from made-up steps: rows and frames in their units, a log that does not
// grow with the run, and files that are cut back to a checkpoint.
#include "ab_initio/dynamics_output.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/units.hpp"
#include "records/checkpoints/output_reach.hpp"
#include "records/files/files.hpp"
#include "records/trajectory/energy_rows.hpp"
#include "support/ab_initio/gth_jobs.hpp"
#include "unit/records/job_file.hpp"

namespace fg::test {
namespace {

using ab_initio::DynamicsKind;
using ab_initio::DynamicsOutput;
using ab_initio::DynamicsRow;
using ab_initio::DynamicsStep;
using ab_initio::GoneBefore;
using ab_initio::IonBathKind;
using ab_initio::Job;
using ab_initio::Orthonormality;

Job moving_job() {
  Job job = gth_job();
  job.dynamics.kind = DynamicsKind::car_parrinello;
  job.dynamics.timestep = 4;
  job.dynamics.steps = 10;
  job.dynamics.fictitious_mass = 400;
  job.dynamics.mass_cutoff = 1.5;
  job.dynamics.energy_steps = 1;
  job.dynamics.trajectory_steps = 2;
  return job;
}

DynamicsStep made_step(const Job& job, std::int64_t number) {
  const auto n = static_cast<double>(number);
  DynamicsStep step{.number = number, .time = n * job.dynamics.timestep};
  step.energies = {.kinetic = 5 + n,
                   .hartree = 2,
                   .local = -9,
                   .alpha = 0.1,
                   .nonlocal = 1,
                   .exchange_correlation = -3,
                   .ewald = -4};
  step.ion_kinetic = 0.02;
  step.temperature = 0.001;
  step.fictitious_kinetic = 0.003 * n;
  step.bath = -1.003 * n;  // so that 1e-5 a step remain of the conserved energy
  step.bath += 1e-5 * n;
  step.cell = job.cell;
  if (moves_cell(job.dynamics)) {
    step.cell.vectors[0] = job.cell.vectors[0] * (1 + 0.01 * n);
    step.pressure = 1e-4;
    step.cell_kinetic = 0.25;
    step.cell_work = 0.5;
  }
  step.deviation = 1e-9;
  step.iterations = 3;
  if (number % job.dynamics.trajectory_steps == 0) {
    step.positions = job.positions;
    for (Vec3& r : step.positions) r = r + n * job.cell.vectors[1];
    step.velocities.assign(job.positions.size(), Vec3{n, 0, 1e-3});
    step.forces.assign(job.positions.size(), Vec3{0, 0.5, -n});
  }
  return step;
}

/// Writes steps into a folder, from the first to the last.
void write_steps(const Job& job, const TestFolder& folder, std::int64_t first, std::int64_t last,
                 const std::optional<GoneBefore>& before = std::nullopt) {
  std::atomic<std::int64_t> written{0};
  RunLog log(folder / "run.log", before.has_value());
  DynamicsOutput output(job, folder / ".", before, written);
  EXPECT_EQ(output.last_step(), -1);
  for (std::int64_t n = first; n <= last; ++n) {
    output.write(made_step(job, n), log);
    // The next step that has a row or a frame.
    std::int64_t due = n + 1;
    while (due % job.dynamics.energy_steps != 0 && due % job.dynamics.trajectory_steps != 0) ++due;
    EXPECT_EQ(written.load(), due);
  }
  EXPECT_EQ(output.last_step(), last);
  output.sync();
}

std::string text_of(const std::string& path) {
  const auto bytes = read_whole_file(path);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::vector<std::string> lines_of(const std::string& path) {
  std::istringstream text(text_of(path));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

TEST(DynamicsOutput, HasOneRowForEachEnergyStepInHartree) {
  const TestFolder folder;
  const Job job = moving_job();
  write_steps(job, folder, 0, 3);
  const auto lines = lines_of(folder / "energies.csv");
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_EQ(lines[0],
            "step,time (ps),potential energy (hartree),ion kinetic energy (hartree),"
            "fictitious kinetic energy (hartree),conserved energy (hartree),temperature (K),"
            "deviation of overlaps,iterations,kinetic (hartree),hartree (hartree),"
            "local (hartree),alpha (hartree),nonlocal (hartree),exchange-correlation (hartree),"
            "ewald (hartree)");
  const auto rows = stored_rows(folder / "energies.csv");
  ASSERT_EQ(rows.size(), 4U);
  const DynamicsStep step = made_step(job, 3);
  EXPECT_EQ(rows[3].step, 3);
  EXPECT_NEAR(rows[3].time, 12 * units::time_in_ps, 1e-12);  // nine digits
  EXPECT_EQ(rows[3].values[0], step.energies.total());
  EXPECT_EQ(rows[3].values[1], 0.02);
  EXPECT_EQ(rows[3].values[2], step.fictitious_kinetic);
  EXPECT_EQ(rows[3].values[3], step.conserved());
  EXPECT_EQ(rows[3].values[4], 0.001 * units::hartree_in_kelvin);
  EXPECT_EQ(rows[3].values[5], 1e-9);
  EXPECT_EQ(rows[3].values[6], 3);
  EXPECT_EQ(rows[3].values[7], 8);
  EXPECT_EQ(rows[3].values.back(), -4);
}

TEST(DynamicsOutput, HasTheColumnsOfItsKindAndBaths) {
  const auto has = [](const Job& job, const std::string& name) {
    const auto all = DynamicsRow(job).headings();
    return std::find(all.begin(), all.end(), name) != all.end();
  };
  Job job = moving_job();
  EXPECT_FALSE(has(job, "bath energy (hartree)"));
  EXPECT_FALSE(has(job, "made orthonormal"));
  EXPECT_FALSE(has(job, "energy given back (hartree)"));
  EXPECT_FALSE(has(job, "dispersion (hartree)"));
  job.dynamics.ion_bath.kind = IonBathKind::langevin;
  job.dynamics.orthonormality = Orthonormality::free;
  job.dispersion = {"of a test", -0.25, job.positions, {}};
  EXPECT_TRUE(has(job, "bath energy (hartree)"));
  EXPECT_TRUE(has(job, "made orthonormal"));
  EXPECT_TRUE(has(job, "energy given back (hartree)"));
  EXPECT_TRUE(has(job, "dispersion (hartree)"));
  EXPECT_FALSE(has(job, "residual (hartree)"));
  job.dynamics.kind = DynamicsKind::born_oppenheimer;
  EXPECT_TRUE(has(job, "residual (hartree)"));
  EXPECT_FALSE(has(job, "fictitious kinetic energy (hartree)"));
  EXPECT_FALSE(has(job, "deviation of overlaps"));
}

TEST(DynamicsOutput, HasFramesInsideTheCellWithVelocitiesAndForces) {
  const TestFolder folder;
  const Job job = moving_job();
  write_steps(job, folder, 0, 4);
  const h5::Reader file(folder / "trajectory.h5");
  const std::string all = "/particles/all/";
  EXPECT_EQ(file.array<std::int64_t>(all + "position/step"), (std::vector<std::int64_t>{0, 2, 4}));
  const std::size_t atoms = job.positions.size(), last = 2 * atoms * 3;
  const auto positions = file.array<double>(all + "position/value", {0, 3});
  const auto images = file.array<std::int32_t>(all + "image/value", {0, 3});
  const auto edges = file.array<double>(all + "box/edges/value", {3, 3});
  ASSERT_EQ(positions.size(), 3 * atoms * 3);
  ASSERT_EQ(edges.size(), 3U * 9U);
  const auto moved = made_step(job, 4).positions;
  for (std::size_t atom = 0; atom < atoms; ++atom) {
    Vec3 inside{}, whole{};
    for (int axis = 0; axis < 3; ++axis) {
      const std::size_t at = last + 3 * atom + static_cast<std::size_t>(axis);
      inside[axis] = positions[at] / units::bohr_in_nm;
      whole[axis] = inside[axis];
      for (std::size_t row = 0; row < 3; ++row)
        whole[axis] += images[last + 3 * atom + row] *
                       edges[18 + 3 * row + static_cast<std::size_t>(axis)] / units::bohr_in_nm;
    }
    for (int axis = 0; axis < 3; ++axis)  // single precision, of up to 10 bohr
      EXPECT_NEAR(whole[axis], moved[atom][axis], 2e-6);
    const Vec3 share = job.cell.fractional(inside);
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_GE(share[axis], -1e-6);
      EXPECT_LE(share[axis], 1 + 1e-6);
    }
  }
  const auto velocities = file.array<double>(all + "velocity/value", {0, 3});
  const auto forces = file.array<double>(all + "force/value", {0, 3});
  EXPECT_NEAR(velocities[last], 4 * units::speed_in_nm_per_ps, 1e-3);
  EXPECT_NEAR(forces[last + 1] / (0.5 * units::force_in_kj_per_mol_nm), 1, 1e-6);
  EXPECT_NEAR(forces[last + 2] / (-4 * units::force_in_kj_per_mol_nm), 1, 1e-6);
  const auto conserved = file.array<double>("/parameters/energies/conserved_energy/value");
  ASSERT_EQ(conserved.size(), 5U);
  EXPECT_EQ(conserved[4], made_step(job, 4).conserved());
}

TEST(DynamicsOutput, HasTheCellOfEachStepIfItMoves) {
  const TestFolder folder;
  Job job = moving_job();
  // Right angles, so that lengths and volume are known.
  job.cell.vectors = {Vec3{9, 0, 0}, Vec3{0, 8, 0}, Vec3{0, 0, 10}};
  job.dynamics.cell.moves = MovingCell::full;
  write_steps(job, folder, 0, 4);
  const auto headings = DynamicsRow(job).headings();
  const auto rows = stored_rows(folder / "energies.csv");
  const auto value = [&](std::size_t row, const std::string& name) {
    const auto at = std::find(headings.begin(), headings.end(), name);
    EXPECT_NE(at, headings.end()) << name;
    return rows[row].values[static_cast<std::size_t>(at - headings.begin()) - 2];
  };
  EXPECT_EQ(value(4, "cell kinetic energy (hartree)"), 0.25);
  EXPECT_EQ(value(4, "work of outer pressure (hartree)"), 0.5);
  EXPECT_NEAR(value(4, "pressure (bar)"), 29421.02, 0.01);  // 1e-4 of 2.942102e8 bar
  EXPECT_NEAR(value(4, "volume (nm3)"), 720 * 1.04 * units::volume_in_nm3, 1e-14);
  EXPECT_NEAR(value(4, "cell a (nm)"), 9.36 * units::bohr_in_nm, 1e-14);
  EXPECT_NEAR(value(0, "cell a (nm)"), 9 * units::bohr_in_nm, 1e-14);
  EXPECT_NEAR(value(4, "cell c (nm)"), 10 * units::bohr_in_nm, 1e-14);
  EXPECT_NEAR(value(4, "cell beta (degrees)"), 90, 1e-12);
  // Three vectors in each frame, since the cell may get other angles.
  const h5::Reader file(folder / "trajectory.h5");
  const auto edges = file.array<double>("/particles/all/box/edges/value", {3, 3});
  ASSERT_EQ(edges.size(), 3U * 9U);
  for (std::size_t frame = 0; frame < 3; ++frame)
    EXPECT_NEAR(edges[9 * frame], 9 * (1 + 0.02 * static_cast<double>(frame)) * units::bohr_in_nm,
                1e-12);
  Progress progress;
  std::atomic<std::int64_t> written{0};
  RunLog log(folder / "second.log");
  const TestFolder other;
  DynamicsOutput output(job, other / ".", std::nullopt, written);
  output.write(made_step(job, 1), log);
  output.describe(progress);
  EXPECT_NEAR(progress.pressure, 29421.02, 0.01);
  EXPECT_NEAR(progress.volume, 720 * 1.01 * units::volume_in_nm3, 1e-14);
}

TEST(DynamicsOutput, OfAMoleculeWithoutImagesHasNoCell) {
  const TestFolder folder;
  Job job = moving_job();
  job.isolated = true;
  write_steps(job, folder, 0, 2);
  const h5::Reader file(folder / "trajectory.h5");
  EXPECT_FALSE(file.has("/particles/all/box/edges"));
  const auto positions = file.array<double>("/particles/all/position/value", {0, 3});
  const auto moved = made_step(job, 2).positions;  // outside the cell
  EXPECT_NEAR(positions[job.positions.size() * 3 + 1] / units::bohr_in_nm, moved[0].y, 2e-6);
}

TEST(DynamicsOutput, WritesOnlyWhatIsAskedFor) {
  const TestFolder folder;
  Job job = moving_job();
  job.dynamics.energy_steps = 3;
  job.dynamics.trajectory_steps = 4;
  write_steps(job, folder, 0, 10);
  const auto rows = stored_rows(folder / "energies.csv");
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows.back().step, 9);
  EXPECT_EQ(
      h5::Reader(folder / "trajectory.h5").array<std::int64_t>("/particles/all/position/step"),
      (std::vector<std::int64_t>{0, 4, 8}));
  Job silent = moving_job();
  silent.dynamics.energy_steps = silent.dynamics.trajectory_steps = 0;
  const TestFolder other;
  std::atomic<std::int64_t> written{0};
  RunLog log(other / "run.log");
  DynamicsOutput output(silent, other / ".", std::nullopt, written);
  DynamicsStep step = made_step(job, 1);
  output.write(step, log);
  EXPECT_TRUE(stored_rows(other / "energies.csv").empty());
  Progress progress;
  output.describe(progress);
  EXPECT_TRUE(std::isnan(progress.energy_drift));
  EXPECT_EQ(progress.total_energy, step.energies.total());
}

TEST(DynamicsOutput, TellsTheDriftOfTheConservedEnergy) {
  const TestFolder folder;
  const Job job = moving_job();
  std::atomic<std::int64_t> written{0};
  RunLog log(folder / "run.log");
  DynamicsOutput output(job, folder / ".", std::nullopt, written);
  for (int n = 0; n <= 5; ++n) output.write(made_step(job, n), log);
  Progress progress;
  output.describe(progress);
  // 1e-5 hartree in a step of 4 au, seven atoms.
  const double slope = 1e-5 * units::hartree_in_kj_per_mol / (4 * units::time_in_ps) / 7;
  EXPECT_NEAR(progress.energy_drift / slope, 1, 1e-6);
  EXPECT_EQ(progress.conserved_energy, made_step(job, 5).conserved());
  EXPECT_EQ(progress.fictitious_kinetic, 0.015);
  EXPECT_NEAR(progress.temperature_kelvin, 315.775, 1e-3);
}

TEST(DynamicsOutput, LogDoesNotGrowWithTheRunButTellsOfResets) {
  const TestFolder folder;
  Job job = moving_job();
  job.dynamics.steps = 1000;
  job.dynamics.energy_steps = job.dynamics.trajectory_steps = 1000;
  std::atomic<std::int64_t> written{0};
  RunLog log(folder / "run.log");
  DynamicsOutput output(job, folder / ".", std::nullopt, written);
  for (int n = 1; n <= 999; ++n) {
    DynamicsStep step = made_step(job, n);
    step.was_reset = n == 333;
    step.deviation = 0.0025;
    step.fictitious_kinetic = 0.001;  // below that of the ions, so that nothing is warned of
    output.write(step, log);
  }
  const auto lines = lines_of(folder / "run.log");
  EXPECT_GE(lines.size(), 99U);
  EXPECT_LE(lines.size(), 101U);
  const std::string text = text_of(folder / "run.log");
  EXPECT_NE(text.find("step 333: orbitals made orthonormal"), std::string::npos) << text;
  EXPECT_NE(text.find("0.0025"), std::string::npos);
}

TEST(DynamicsOutput, NamesTroubleInTheLogAndInReportsOfProgress) {
  const TestFolder folder;
  const Job job = moving_job();
  std::atomic<std::int64_t> written{0};
  RunLog log(folder / "run.log");
  DynamicsOutput output(job, folder / ".", std::nullopt, written);
  DynamicsStep step = made_step(job, 1);
  step.conserved_at_start = step.conserved() - 0.014;  // 0.002 for each of seven ions
  output.write(step, log);
  Progress progress;
  output.describe(progress);
  EXPECT_EQ(progress.trouble, "conserved energy off by 0.002 hartree/ion");
  ASSERT_EQ(log.warnings().size(), 1U);
  EXPECT_NE(log.warnings()[0].find("step 1: the conserved energy"), std::string::npos);
  EXPECT_NE(text_of(folder / "run.log").find(log.warnings()[0]), std::string::npos);
}

TEST(DynamicsOutput, IsCutBackToACheckpointAndGoesOnToTheSameFiles) {
  const Job job = moving_job();
  const TestFolder whole, parts;
  write_steps(job, whole, 0, 10);
  write_steps(job, parts, 0, 7);  // broken off there; the checkpoint is of step 5
  const auto plan = DynamicsRow(job).plan();
  GoneBefore before{.kept_up_to = 5};
  add_rows(before.drift, parts / ".", plan, 0, 6);
  EXPECT_EQ(before.drift.rows, 6);
  write_steps(job, parts, 6, 10, before);
  EXPECT_EQ(text_of(whole / "energies.csv"), text_of(parts / "energies.csv"));
  const h5::Reader one(whole / "trajectory.h5"), other(parts / "trajectory.h5");
  for (const char* series : {"/particles/all/position/value", "/particles/all/force/value"})
    EXPECT_EQ(one.array<double>(series, {0, 3}), other.array<double>(series, {0, 3}));
  const std::string conserved = "/parameters/energies/conserved_energy/value";
  EXPECT_EQ(one.array<double>(conserved), other.array<double>(conserved));
  // All is there, up to the first step that nobody wrote.
  EXPECT_EQ(output_reach(parts / ".", plan, 0).step, 11);
}

TEST(DynamicsOutput, WhatIsMissingIsFound) {
  const Job job = moving_job();
  const TestFolder folder;
  write_steps(job, folder, 0, 6);
  auto plan = DynamicsRow(job).plan();
  EXPECT_EQ(output_reach(folder / ".", plan, 0).step, 7);
  plan.energy_interval = 2;
  const auto reach = output_reach(folder / ".", plan, 0);
  EXPECT_EQ(reach.step, 2);
  EXPECT_NE(reach.missing.find("energies.csv lacks the row of step 2"), std::string::npos)
      << reach.missing;
}

TEST(DynamicsOutput, OfAnotherRunIsNotContinued) {
  const Job job = moving_job();
  const TestFolder folder;
  write_steps(job, folder, 0, 2);
  Job other = job;
  other.dynamics.ion_bath.kind = IonBathKind::langevin;  // one column more
  std::atomic<std::int64_t> written{0};
  EXPECT_THROW(DynamicsOutput(other, folder / ".", GoneBefore{.kept_up_to = 1}, written),
               InputError);
}

}  // namespace
}  // namespace fg::test
