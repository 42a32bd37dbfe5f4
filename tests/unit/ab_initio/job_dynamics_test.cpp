// SPDX-License-Identifier: BSD-3-Clause
//
// The dynamics of an ab initio job is read as it was written; contradictory or damaged settings are
// refused; the digest tells trajectories apart.
#include "ab_initio/job/job_dynamics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "ab_initio/checkpoints/kept_orbitals.hpp"
#include "base/error.hpp"
#include "gth_job_file.hpp"
#include "records/files/files.hpp"
#include "support/ab_initio/gth_jobs.hpp"
#include "unit/records/job_file.hpp"

namespace fg::test {
namespace {

using ab_initio::DynamicsKind;
using ab_initio::DynamicsSettings;
using ab_initio::ElectronBathKind;
using ab_initio::IonBathKind;
using ab_initio::Job;
using ab_initio::Orthonormality;

Job moving_job() {
  Job job = gth_job();
  job.velocities.assign(job.positions.size(), Vec3{1e-4, -2e-4, 3e-4});
  DynamicsSettings& dynamics = job.dynamics;
  dynamics.timestep = 4;
  dynamics.steps = 1000;
  dynamics.seed = 0xfffffffffffffff0;
  dynamics.energy_steps = 2;
  dynamics.trajectory_steps = 10;
  return job;
}

Job car_parrinello_job() {
  Job job = moving_job();
  DynamicsSettings& dynamics = job.dynamics;
  dynamics.kind = DynamicsKind::car_parrinello;
  dynamics.fictitious_mass = 400;
  dynamics.mass_cutoff = 1.5;
  dynamics.constraint_tolerance = 1e-9;
  dynamics.ion_bath = {IonBathKind::nose_hoover, 0.001, 4000, 3};
  dynamics.electron_bath = {ElectronBathKind::nose_hoover, 0.02, 40, 2};
  return job;
}

Job born_oppenheimer_job() {
  Job job = moving_job();
  job.dynamics.kind = DynamicsKind::born_oppenheimer;
  job.dynamics.timestep = 20;
  job.dynamics.predictor_order = 2;
  job.dynamics.ion_bath = {IonBathKind::langevin, 0.001, 4000, 4};
  return job;
}

void expect_refused(const std::string& object, const std::string& expected, const Job& job,
                    const std::function<void(hid_t)>& change = {}) {
  const std::string text = refusal_of(job, change);
  EXPECT_NE(text.find("job.h5:" + object), std::string::npos) << object << "\n got: " << text;
  EXPECT_NE(text.find(expected), std::string::npos) << expected << "\n got: " << text;
}

std::string digest_of(const Job& job) {
  return ab_initio::job_digest(job);
}

std::string line_of(const Job& job, const std::string& name) {
  for (const auto& [key, text] : ab_initio::describe(job))
    if (key == name) return text;
  return "nothing";
}

TEST(DynamicsOfAJob, IsReadAsItWasWritten) {
  const Job job = car_parrinello_job(), read = read_again(job);
  EXPECT_EQ(read.velocities, job.velocities);
  const DynamicsSettings& dynamics = read.dynamics;
  EXPECT_EQ(dynamics.kind, DynamicsKind::car_parrinello);
  EXPECT_EQ(dynamics.timestep, 4);
  EXPECT_EQ(dynamics.steps, 1000);
  EXPECT_FALSE(dynamics.ions_rest);
  EXPECT_EQ(dynamics.seed, 0xfffffffffffffff0);
  EXPECT_EQ(dynamics.orthonormality, Orthonormality::constrained);
  EXPECT_EQ(dynamics.fictitious_mass, 400);
  EXPECT_EQ(dynamics.mass_cutoff, 1.5);
  EXPECT_EQ(dynamics.constraint_tolerance, 1e-9);
  EXPECT_EQ(dynamics.ion_bath.kind, IonBathKind::nose_hoover);
  EXPECT_EQ(dynamics.ion_bath.temperature, 0.001);
  EXPECT_EQ(dynamics.ion_bath.time_constant, 4000);
  EXPECT_EQ(dynamics.ion_bath.chain_length, 3);
  EXPECT_EQ(dynamics.electron_bath.kind, ElectronBathKind::nose_hoover);
  EXPECT_EQ(dynamics.electron_bath.kinetic, 0.02);
  EXPECT_EQ(dynamics.electron_bath.time_constant, 40);
  EXPECT_EQ(dynamics.electron_bath.chain_length, 2);
  EXPECT_EQ(dynamics.energy_steps, 2);
  EXPECT_EQ(dynamics.trajectory_steps, 10);
}

TEST(DynamicsOfAJob, OfTheGroundStateIsReadAsItWasWritten) {
  const Job read = read_again(born_oppenheimer_job());
  EXPECT_EQ(read.dynamics.kind, DynamicsKind::born_oppenheimer);
  EXPECT_EQ(read.dynamics.predictor_order, 2);
  EXPECT_EQ(read.dynamics.ion_bath.kind, IonBathKind::langevin);
  EXPECT_EQ(read.dynamics.electron_bath.kind, ElectronBathKind::none);
}

TEST(DynamicsOfAJob, OfFreeOrbitalsWithIonsAtRestNeedsNoVelocities) {
  Job job = car_parrinello_job();
  job.dynamics.orthonormality = Orthonormality::free;
  job.dynamics.reset_above = 0.002;
  job.dynamics.ions_rest = true;
  job.dynamics.ion_bath = {};
  job.dynamics.trajectory_steps = 0;
  job.velocities.clear();
  const Job read = read_again(job);
  EXPECT_EQ(read.dynamics.orthonormality, Orthonormality::free);
  EXPECT_EQ(read.dynamics.reset_above, 0.002);
  EXPECT_TRUE(read.dynamics.ions_rest);
  EXPECT_EQ(read.velocities, std::vector<Vec3>(job.positions.size()));
}

TEST(DynamicsOfAJob, IsNoneWithoutItsGroup) {
  const Job read = read_again(gth_job());
  EXPECT_EQ(read.dynamics.kind, DynamicsKind::none);
  EXPECT_TRUE(read.velocities.empty());
  EXPECT_EQ(line_of(read, "dynamics"), "nothing");
}

TEST(DynamicsOfAJob, NeedsWhatItsKindNeedsAndNoMore) {
  const auto without = [](const Job& job, const char* name) {
    return refusal_of(job, [=](hid_t f) { H5Adelete_by_name(f, "/dynamics", name, H5P_DEFAULT); });
  };
  const std::vector<const char*> of_all{"kind", "timestep", "steps",        "ions_rest",
                                        "seed", "ion_bath", "energy_steps", "trajectory_steps"};
  const std::vector<const char*> of_bath{"ion_temperature", "ion_time_constant"};
  const std::vector<const char*> fictitious{
      "orthonormality",         "fictitious_mass",       "mass_cutoff",
      "constraint_tolerance",   "electron_bath",         "electron_kinetic",
      "electron_time_constant", "electron_chain_length", "ion_chain_length"};
  const auto expect_missing = [&](const Job& job, const auto& names) {
    for (const char* name : names) {
      const std::string text = without(job, name);
      EXPECT_NE(text.find(std::string("'") + name + "' is missing"), std::string::npos) << text;
    }
  };
  const auto expect_accepted = [&](const Job& job, const auto& names) {
    for (const char* name : names) EXPECT_EQ(without(job, name), "accepted") << name;
  };
  for (const Job& job : {car_parrinello_job(), born_oppenheimer_job()}) {
    expect_missing(job, of_all);
    expect_missing(job, of_bath);
  }
  expect_missing(car_parrinello_job(), fictitious);
  expect_accepted(born_oppenheimer_job(), fictitious);
  expect_missing(born_oppenheimer_job(), std::vector{"predictor_order"});
  expect_accepted(car_parrinello_job(), std::vector{"predictor_order", "reset_above"});
  Job without_baths = car_parrinello_job();
  without_baths.dynamics.ion_bath = {};
  without_baths.dynamics.electron_bath = {};
  expect_accepted(without_baths, of_bath);
  expect_accepted(without_baths, std::vector{"electron_kinetic", "electron_time_constant"});
  expect_refused("/ions/velocity", "the file lacks", car_parrinello_job(),
                 [](hid_t f) { remove_object(f, "/ions/velocity"); });
}

TEST(DynamicsOfAJob, BeyondItsLimitsIsRefused) {
  const double nan = std::nan("");
  struct Bad {
    const char* name;
    double value;
  };
  for (const Bad bad : std::vector<Bad>{{"timestep", 0},
                                        {"timestep", -4},
                                        {"timestep", 1001},
                                        {"timestep", nan},
                                        {"steps", -1},
                                        {"ions_rest", 2},
                                        {"fictitious_mass", 0},
                                        {"fictitious_mass", nan},
                                        {"mass_cutoff", 0},
                                        {"constraint_tolerance", 0},
                                        {"constraint_tolerance", 0.1},
                                        {"ion_temperature", 0},
                                        {"ion_time_constant", 0},
                                        {"ion_time_constant", 2e9},
                                        {"ion_chain_length", 0},
                                        {"ion_chain_length", 21},
                                        {"electron_kinetic", 0},
                                        {"electron_time_constant", nan},
                                        {"electron_chain_length", 0},
                                        {"energy_steps", -1},
                                        {"trajectory_steps", 1e10}})
    expect_refused("/dynamics", std::string("'") + bad.name + "' is beyond its limits",
                   car_parrinello_job(),
                   [&](hid_t f) { set_number(f, "/dynamics", bad.name, bad.value); });
  for (const double order : {-2, 9})
    expect_refused("/dynamics", "'predictor_order' is beyond its limits", born_oppenheimer_job(),
                   [&](hid_t f) { set_number(f, "/dynamics", "predictor_order", order); });
  for (const char* name : {"kind", "orthonormality", "ion_bath", "electron_bath"})
    expect_refused("/dynamics", std::string("'") + name + "' has an unknown value",
                   car_parrinello_job(),
                   [&](hid_t f) { set_text(f, "/dynamics", name, "verlet"); });
  for (const double reset : {0.0, 0.6}) {
    Job job = car_parrinello_job();
    job.dynamics.orthonormality = Orthonormality::free;
    job.dynamics.reset_above = reset;
    expect_refused("/dynamics", "'reset_above' is beyond its limits", job);
  }
}

TEST(DynamicsOfAJob, WhoseVelocitiesCannotBeIsRefused) {
  Job job = car_parrinello_job();
  job.velocities.pop_back();
  expect_refused("/ions/velocity", "has another length than positions", job);
  job = car_parrinello_job();
  job.velocities[2].y = std::nan("");
  expect_refused("/ions/velocity", "not finite", job);
  job.velocities[2].y = -1.5;
  expect_refused("/ions/velocity", "a velocity is beyond its limits", job);
}

TEST(DynamicsOfAJob, WithAStepBeyondTheFastestOrbitalsIsRefused) {
  Job job = car_parrinello_job();
  // 2 (400 / (2 x 1.5))^(1/2) = 23.09.
  job.dynamics.timestep = 23;
  EXPECT_EQ(refusal_of(job), "accepted");
  job.dynamics.timestep = 23.2;
  expect_refused("/dynamics", "too long for the fastest orbitals", job);
}

TEST(DynamicsOfAJob, ThatContradictsItselfIsRefused) {
  Job job = car_parrinello_job();
  job.dynamics.ions_rest = true;
  expect_refused("/dynamics", "ions at rest have no bath", job);
  job = born_oppenheimer_job();
  job.dynamics.ions_rest = true;
  expect_refused("/dynamics", "nothing moves", job);
  job = car_parrinello_job();
  job.dispersion = {"of a test", -0.25, job.positions, {}};
  expect_refused("/dispersion", "names no program that finds the dispersion", job);
  job.dynamics.ions_rest = true;
  job.dynamics.ion_bath = {};
  expect_refused("/dynamics", "ions at rest have no frames", job);
  job.dynamics.trajectory_steps = 0;
  EXPECT_EQ(refusal_of(job), "accepted");
}

Job moving_cell_job(MovingCell moves = MovingCell::lengths) {
  Job job = born_oppenheimer_job();
  job.dynamics.cell = {.moves = moves, .pressure = -1e-4, .mass = 20000, .friction = 1e-3};
  return job;
}

TEST(DynamicsOfAJob, InAMovingCellIsReadAsItWasWritten) {
  EXPECT_EQ(read_again(born_oppenheimer_job()).dynamics.cell.moves, MovingCell::nothing);
  for (const MovingCell moves : {MovingCell::isotropic, MovingCell::lengths, MovingCell::full}) {
    const Job read = read_again(moving_cell_job(moves));
    EXPECT_EQ(read.dynamics.cell.moves, moves);
    EXPECT_EQ(read.dynamics.cell.pressure, -1e-4);
    EXPECT_EQ(read.dynamics.cell.mass, 20000);
    EXPECT_EQ(read.dynamics.cell.friction, 1e-3);
  }
  // -1e-4 x 2.942102e8 bar, 20000 / 1822.888 Da, 24.19 fs.
  EXPECT_EQ(line_of(moving_cell_job(), "moving cell"),
            "lengths, outer pressure -29421.02 bar, mass 10.9716 Da, friction over 24.18884 fs");
  EXPECT_NE(line_of(moving_cell_job(), "period of the cell").find("98 GPa"), std::string::npos);
}

TEST(DynamicsOfAJob, WhoseCellCannotMoveIsRefused) {
  const auto with = [](const char* name, double value) {
    return [=](hid_t f) { set_number(f, "/dynamics", name, value); };
  };
  for (const auto& [name, value] : {std::pair{"pressure", 2.0},
                                    {"pressure", std::nan("")},
                                    {"cell_mass", 0.0},
                                    {"cell_friction", -1.0}})
    expect_refused("/dynamics", std::string("'") + name + "' is beyond its limits",
                   moving_cell_job(), with(name, value));
  expect_refused("/dynamics", "'cell' has an unknown value", moving_cell_job(),
                 [](hid_t f) { set_text(f, "/dynamics", "cell", "cubic"); });
  for (const char* name : {"pressure", "cell_mass", "cell_friction"}) {
    const std::string text = refusal_of(
        moving_cell_job(), [=](hid_t f) { H5Adelete_by_name(f, "/dynamics", name, H5P_DEFAULT); });
    EXPECT_NE(text.find(std::string("'") + name + "' is missing"), std::string::npos) << text;
  }
  Job job = moving_cell_job();
  job.isolated = true;
  expect_refused("/dynamics", "has no pressure", job);
  job = car_parrinello_job();
  job.dynamics.cell = moving_cell_job().dynamics.cell;
  job.dynamics.ions_rest = true;
  expect_refused("/dynamics", "the cell moves with its ions only", job);
}

TEST(DynamicsOfAJob, SaysWhatItWillDo) {
  const Job electrons = car_parrinello_job(), ground = born_oppenheimer_job();
  EXPECT_EQ(line_of(electrons, "dynamics"), "car-parrinello");
  EXPECT_EQ(line_of(electrons, "timestep"), "0.09675537 fs (4 au)");  // 4 x 0.02418884 fs
  EXPECT_EQ(line_of(electrons, "fictitious mass"), "400 electron masses, more above 3 Ry");
  EXPECT_EQ(line_of(electrons, "orthonormality"), "constrained, to 1e-09");
  EXPECT_EQ(line_of(electrons, "ion bath"),
            "nose-hoover, 315.775 K, time constant 96.75537 fs, chain of 3");
  EXPECT_EQ(line_of(electrons, "electron bath"),
            "nose-hoover, 0.02 hartree, time constant 0.9675537 fs, chain of 2");
  EXPECT_EQ(line_of(ground, "predictor"), "of order 2, from 4 steps");
  EXPECT_EQ(line_of(ground, "ion bath"), "langevin, 315.775 K, time constant 96.75537 fs");
  EXPECT_EQ(line_of(ground, "fictitious mass"), "nothing");
  EXPECT_EQ(line_of(ground, "frames"), "every 10 steps");
}

/// Checkpoints are bound to the digest. These are of the commit bd8cb950, where each key was added
/// by a line of its own: this test runs there, and its failures print what the engine finds.
TEST(DynamicsOfAJob, HasTheDigestOfEarlierEngines) {
  Job free = car_parrinello_job();
  free.dynamics.orthonormality = Orthonormality::free;
  free.dynamics.reset_above = 0.002;
  free.dynamics.ions_rest = true;
  const std::vector<std::pair<std::string, std::string>> cases{
      {digest_of(gth_job()), "67f71a5d4b15674b2680e60e1b2a1bfe1d1c6817fd823a83629df3e2e3541d04"},
      {digest_of(car_parrinello_job()),
       "c8ba0ba3cfcc2f2f8703ba6ad9bc94a8a64d99378399dc05db960de05925c502"},
      {digest_of(free), "a15c91e258f94a61b8da3b3cc9f49a6088ef915e0c3c9472080a74df07bfd8b6"},
      {digest_of(born_oppenheimer_job()),
       "31b7b59065541d6ce19cc10c38430bbe4d7101ad6216668ed6cf68cd63809948"},
      {digest_of(moving_cell_job()),
       "5de45232fcf4b6dd1571ef015fe9588dc22b5737685cb1fdcaac9037bbf7855a"}};
  for (std::size_t i = 0; i < cases.size(); ++i) EXPECT_EQ(cases[i].first, cases[i].second) << i;
}

TEST(DynamicsOfAJob, IsInTheDigestAsFarAsTheTrajectoryDependsOnIt) {
  const Job job = car_parrinello_job();
  const std::string digest = digest_of(job);
  EXPECT_NE(digest, digest_of(gth_job()));
  const std::vector<std::function<void(Job&)>> changes{
      [](Job& one) { one.dynamics.timestep = 5; },
      [](Job& one) { one.dynamics.ions_rest = true; },
      [](Job& one) { one.dynamics.seed = 3; },
      [](Job& one) { one.dynamics.orthonormality = Orthonormality::free; },
      [](Job& one) { one.dynamics.fictitious_mass = 500; },
      [](Job& one) { one.dynamics.mass_cutoff = 2; },
      [](Job& one) { one.dynamics.constraint_tolerance = 1e-8; },
      [](Job& one) { one.dynamics.reset_above = 1e-3; },
      [](Job& one) { one.dynamics.predictor_order = 1; },
      [](Job& one) { one.dynamics.ion_bath.temperature = 0.002; },
      [](Job& one) { one.dynamics.ion_bath.kind = IonBathKind::rescaling; },
      [](Job& one) { one.dynamics.ion_bath.chain_length = 4; },
      [](Job& one) { one.dynamics.electron_bath.kinetic = 0.03; },
      [](Job& one) { one.dynamics.electron_bath.time_constant = 50; },
      [](Job& one) { one.velocities[0].z = 0; },
      [](Job& one) { one.masses[1] = 3671; },
      [](Job& one) { one.dynamics.cell.moves = MovingCell::full; },
      [](Job& one) { one.ground_state.tolerance = 1e-6; }};
  for (std::size_t i = 0; i < changes.size(); ++i) {
    Job other = job;
    changes[i](other);
    EXPECT_NE(digest_of(other), digest) << "change " << i;
  }
  const Job cell = moving_cell_job();
  for (double CellSettings::*const value :
       {&CellSettings::pressure, &CellSettings::mass, &CellSettings::friction}) {
    Job other = cell;
    other.dynamics.cell.*value *= 2;
    EXPECT_NE(digest_of(other), digest_of(cell));
  }
  Job longer = job;
  longer.dynamics.steps = 2000;
  longer.dynamics.energy_steps = 1;
  longer.dynamics.trajectory_steps = 0;
  EXPECT_EQ(digest_of(longer), digest);
}

}  // namespace
}  // namespace fg::test
