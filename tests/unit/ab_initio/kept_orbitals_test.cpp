// SPDX-License-Identifier: BSD-3-Clause
//
// The checkpoint of a ground state: what is in it, from any division into objects; to which job it
// belongs; files that are damaged, of another kind, or that cannot be written.
#include "ab_initio/checkpoints/kept_orbitals.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "ab_initio/assembly.hpp"
#include "ab_initio/orbitals/stored_orbitals.hpp"
#include "base/error.hpp"
#include "records/checkpoints/checkpoint.hpp"
#include "support/ab_initio/gth_jobs.hpp"
#include "support/expect_refused.hpp"
#include "unit/records/job_file.hpp"

namespace fg::test {
namespace {

using ab_initio::GroundState;
using ab_initio::Job;

GroundState kept(const Job& job, const std::string& path) {
  ab_initio::ProgressQueue progress;
  return ab_initio::make_assembly(job, {.pes = 2, .pin = false}, progress, {.path = path})
      ->find_ground_state();
}

Job short_job() {
  Job job = gth_job();
  job.ground_state.iterations = 4;
  return job;
}

std::string digest_of(const Job& job) {
  return ab_initio::job_digest(job);
}

TEST(JobDigest, ChangesWithAllThatOrbitalsDependOn) {
  const std::vector<std::function<void(Job&)>> changes = {
      [](Job& job) { job.cell.vectors[1].y += 1e-9; },
      [](Job& job) { job.isolated = true; },
      [](Job& job) { job.positions[2].x += 1e-9; },
      [](Job& job) { job.species_of[1] = 0; },
      [](Job& job) { job.species[0].sha256 = "other"; },
      [](Job& job) { job.electrons.cutoff += 1e-9; },
      [](Job& job) { job.electrons.grid[2] += 1; },
      [](Job& job) { job.electrons.bands += 1; },
      [](Job& job) { job.electrons.spins = 2; },
      [](Job& job) { job.electrons.functional = "PBE"; },
      [](Job& job) { job.electrons.gradient_density_threshold = 1e-6; },
      [](Job& job) { job.electrons.gradient_sigma_threshold = 1e-6; },
      [](Job& job) { job.electrons.mirrors_negative_density = true; },
      [](Job& job) { job.moments = {1}; },
      [](Job& job) { job.nonlocal.method = ab_initio::IonMethod::splines; },
      [](Job& job) { job.local.order = 6; },
      [](Job& job) { job.ground_state.minimiser = ab_initio::MinimiserKind::steepest_descent; },
      [](Job& job) { job.division.state_grain = 1; },
      [](Job& job) { job.division.tile_grain = 1; },
      [](Job& job) { job.division.pair_chunks = 2; },
      [](Job& job) { job.division.plane_pieces = 2; },
  };
  std::set<std::string> digests{digest_of(gth_job())};
  for (const auto& change : changes) {
    Job job = gth_job();
    change(job);
    digests.insert(digest_of(job));
  }
  EXPECT_EQ(digests.size(), changes.size() + 1);
  // Where a search ends does not change the way to there.
  Job longer = gth_job();
  longer.ground_state.iterations = 7;
  longer.ground_state.tolerance = 1e-3;
  longer.title = "another";
  EXPECT_EQ(digest_of(longer), digest_of(gth_job()));
}

TEST(KeptOrbitals, HaveTheStateOfTheSearch) {
  const TestFolder folder;
  const Job job = short_job();
  const std::string path = folder / "checkpoint.h5";
  const GroundState state = kept(job, path);
  ASSERT_FALSE(state.converged);
  const ab_initio::SearchState found = ab_initio::load_search(path, job);
  EXPECT_FALSE(found.converged);
  EXPECT_EQ(found.iteration(), 4);
  EXPECT_EQ(found.pairs, 4);
  ASSERT_EQ(found.history.size(), state.history.size());
  for (std::size_t i = 0; i < found.history.size(); ++i) {
    EXPECT_EQ(found.history[i].number, state.history[i].number);
    EXPECT_EQ(found.history[i].energy, state.history[i].energy);
    EXPECT_EQ(found.history[i].residual, state.history[i].residual);
  }
}

/// Two divisions write the same orbitals, and the largest differences are roundings.
TEST(KeptOrbitals, AreThoseOfAllObjects) {
  const TestFolder folder;
  const std::vector<std::array<int, 3>> waves = {{0, 0, 0}, {0, 0, 1}, {1, -1, 2}, {2, 1, 0}};
  std::vector<std::vector<double>> read;
  for (const ab_initio::DivisionSettings& division :
       {ab_initio::DivisionSettings{5, 1, 1}, {2, 3, 6}, {1, 2, 2, 2, 2}, {2, 2, 2, 2, 2, 3}}) {
    Job job = short_job();
    job.division = division;
    const std::string path = folder / "checkpoint.h5";
    kept(job, path);
    const ab_initio::StoredOrbitals orbitals(path, "", 5);
    std::vector<double>& values = read.emplace_back(2 * 5 * waves.size());
    orbitals.read<double>(ab_initio::kept::orbitals, {0, 5}, waves, values);
    std::vector<float> steps(values.size());
    orbitals.read<float>(ab_initio::kept::step(0), {0, 5}, waves, steps);
    EXPECT_NE(steps[2], 0);
  }
  for (const auto& other : read)
    for (std::size_t i = 0; i < other.size(); ++i) EXPECT_NEAR(other[i], read[0][i], 1e-9);
}

TEST(KeptOrbitals, TheEndReplacesTheCheckpointBefore) {
  const TestFolder folder;
  Job job = gth_job();
  const std::string path = folder / "checkpoint.h5";
  job.ground_state.iterations = 2;
  kept(job, path);
  kept(job, path);
  EXPECT_TRUE(std::filesystem::exists(previous_checkpoint(path)));
  job.ground_state.iterations = 200;
  ASSERT_TRUE(kept(job, path).converged);
  EXPECT_FALSE(std::filesystem::exists(previous_checkpoint(path)));
  const ab_initio::SearchState found = ab_initio::load_search(path, job);
  EXPECT_TRUE(found.converged);
  EXPECT_EQ(found.pairs, 0);
}

TEST(KeptOrbitals, OfAnotherJobOrDamagedAreRefused) {
  const TestFolder folder;
  const Job job = short_job();
  const std::string path = folder / "checkpoint.h5";
  expect_refused<InputError>([&] { ab_initio::load_search(path, job); }, "checkpoint.h5");
  kept(job, path);
  Job other = job;
  other.positions[0].x += 0.01;
  expect_refused<InputError>([&] { ab_initio::load_search(path, other); },
                             "written by another job");
  std::filesystem::copy_file(path, previous_checkpoint(path));
  {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(4000);
    file.write("damage", 6);
  }
  expect_refused<InputError>([&] { ab_initio::load_search(path, job); }, "damaged");
  expect_refused<InputError>([&] { ab_initio::load_search(path, job); },
                             "the one before it is whole");
}

TEST(KeptOrbitals, ThatCannotBeWrittenEndTheRunWithItsError) {
  const TestFolder folder;
  expect_refused<ResourceError>([&] { kept(short_job(), folder / "no_such_folder/checkpoint.h5"); },
                                "no_such_folder");
}

}  // namespace
}  // namespace fg::test
