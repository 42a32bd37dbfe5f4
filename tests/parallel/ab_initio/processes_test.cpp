// SPDX-License-Identifier: BSD-3-Clause
//
// The same ground state on any number of processes and PEs; an error of one process reaches all.
// Started by mpiexec; process 0 compares with what it computes alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "ab_initio/assembly.hpp"
#include "ab_initio/division/basis.hpp"
#include "base/error.hpp"
#include "processes/ranks.hpp"
#include "support/ab_initio/gth_jobs.hpp"
#include "support/ab_initio/placements.hpp"
#include "support/effort.hpp"
#include "support/this_process.hpp"

namespace fg::test {
namespace {

using ab_initio::GroundState;
using ab_initio::Job;
using ab_initio::ProgressQueue;

/// Process 0 gets the ground state.
GroundState solve(const Job& job, const MachineOptions& options) {
  ProgressQueue progress;
  const auto assembly = ab_initio::make_assembly(job, options, progress);
  if (!options.transport || is_first()) return assembly->find_ground_state();
  assembly->serve();
  return {};
}

void expect_same(const GroundState& state, const GroundState& alone, const std::string& what) {
  expect_same_state(state, alone, what);
  ASSERT_EQ(state.empty.has_value(), alone.empty.has_value()) << what;
  if (state.empty) {
    EXPECT_EQ(state.empty->energies, alone.empty->energies) << what;
  }
}

struct Case {
  const char* name;
  const char* functional;
  ab_initio::StartKind start;
  ab_initio::DivisionSettings division;
  ab_initio::IonMethod ions = ab_initio::IonMethod::exact;
  bool spin = false, empty = false;
};
class SameGroundState : public ::testing::TestWithParam<Case> {};

TEST_P(SameGroundState, OnAnyProcessesPesAndMaps) {
  Job job = GetParam().spin ? spin_job(GetParam().functional) : gth_job(GetParam().functional);
  job.division = GetParam().division;
  job.ground_state.start = GetParam().start;
  job.nonlocal.method = job.local.method = GetParam().ions;
  job.ground_state.iterations = 5;
  if (GetParam().empty) {  // which come after the end of the search
    job.electrons.empty_up = 2;
    job.electrons.empty_down = 3;
    job.ground_state.iterations = 200;
  }
  job.writes_density = true;
  GroundState alone;
  if (is_first()) {
    alone = solve(job, {.pes = 2, .pin = false});
    EXPECT_EQ(alone.density.size(), 18U * 18 * 18);
    EXPECT_EQ(alone.eigenvalues.size(), static_cast<std::size_t>(job.electrons.bands));
  }
  const auto check = [&](const MachineOptions& options, const std::string& what) {
    const GroundState state = solve(job, options);
    if (is_first()) expect_same(state, alone, what);
  };
  for (const int pes : few_with_watch(1, {2, 1, 3}))
    check(shared(pes), std::to_string(pes) + " PEs");
  for (const char* const map : few_with_watch(1, {"hashed", "round-robin", "block,density=hashed"}))
    check(shared(2, map), map);
  check(shared(2, "block", 1), "a communication thread");
  check(shared(1, "hashed", 2), "two communication threads");
}

INSTANTIATE_TEST_SUITE_P(
    Jobs, SameGroundState,
    ::testing::Values(
        Case{"OneBlock", "PW92", ab_initio::StartKind::random, {5, 1, 1}},
        Case{"Blocks", "PBE", ab_initio::StartKind::atomic, {2, 1, 3}},
        Case{"BlocksAndParts", "PBE", ab_initio::StartKind::random, {1, 2, 4}},
        Case{"Parts", "PW92", ab_initio::StartKind::atomic, {5, 3, 3}},
        Case{"Groups", "PW92", ab_initio::StartKind::atomic, {1, 2, 2, 3, 5}},
        Case{"Tiles", "PBE", ab_initio::StartKind::random, {2, 2, 4, 1, 2}},
        Case{"GroupsAndTiles", "PW92", ab_initio::StartKind::random, {1, 1, 2, 5, 1}},
        Case{"Chunks", "PBE", ab_initio::StartKind::atomic, {2, 2, 4, 2, 2, 3}},
        Case{"Pieces", "PBE", ab_initio::StartKind::atomic, {2, 2, 4, 1, 0, 1, 4}},
        Case{"ChunksAndPieces", "PW92", ab_initio::StartKind::random, {1, 2, 6, 2, 2, 2, 3}},
        Case{"PiecesBySplines",
             "PBE",
             ab_initio::StartKind::atomic,
             {2, 1, 3, 1, 0, 1, 4},
             ab_initio::IonMethod::splines,
             true},
        Case{"EmptyOrbitalsInPieces",
             "PBE",
             ab_initio::StartKind::atomic,
             {2, 2, 4, 1, 0, 2, 3},
             ab_initio::IonMethod::exact,
             true,
             true},
        Case{"Splines",
             "PBE",
             ab_initio::StartKind::atomic,
             {2, 1, 3},
             ab_initio::IonMethod::splines},
        Case{"PartsBySplines",
             "PW92",
             ab_initio::StartKind::random,
             {3, 3, 6},
             ab_initio::IonMethod::splines},
        Case{"Spins",
             "PBE",
             ab_initio::StartKind::atomic,
             {2, 2, 4},
             ab_initio::IonMethod::exact,
             true},
        Case{"EmptyOrbitals",
             "PBE",
             ab_initio::StartKind::atomic,
             {2, 2, 4},
             ab_initio::IonMethod::exact,
             true,
             true},
        Case{"SpinsInGroupsAndTiles",
             "PW92",
             ab_initio::StartKind::atomic,
             {2, 1, 2, 3, 4},
             ab_initio::IonMethod::splines,
             true}),
    [](const auto& info) { return info.param.name; });

TEST(GroundStateOverProcesses, RunsAgainWithTheSameObjects) {
  const Job job = [] {
    Job made = gth_job();
    made.division = {1, 2, 2};
    made.ground_state.iterations = 3;
    return made;
  }();
  ProgressQueue progress;
  const auto assembly = ab_initio::make_assembly(job, shared(2), progress);
  if (!is_first()) return assembly->serve();
  const std::string once = assembly->find_ground_state().digest;
  EXPECT_EQ(assembly->find_ground_state().digest, once);
}

class PlacementOverProcesses : public ::testing::TestWithParam<PlacementCase> {};

TEST_P(PlacementOverProcesses, GivesTheBitsOfOneProcess) {
  const Job job = GetParam().job();
  const Job moved = moved_job(job);
  ProgressQueue progress;
  for (const MachineOptions& options : {shared(1), shared(2, "hashed")}) {
    const auto assembly = ab_initio::make_assembly(job, options, progress);
    if (!is_first()) {
      assembly->serve();
      continue;
    }
    const auto alone = ab_initio::make_assembly(job, {.pin = false}, progress);
    for (int round = 0; round < 2; ++round) {
      expect_same_state(assembly->find_ground_state(), alone->find_ground_state(), "here");
      expect_same_state(assembly->find_ground_state(moved.positions),
                        alone->find_ground_state(moved.positions), "there");
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Jobs, PlacementOverProcesses, ::testing::ValuesIn(placement_cases()),
                         [](const auto& info) { return info.param.name; });

TEST(GroundStateOverProcesses, IonsThatMoveToTheSamePlaceEndAll) {
  Job job = gth_job();
  ProgressQueue progress;
  const auto assembly = ab_initio::make_assembly(job, shared(2), progress);
  if (!is_first()) return assembly->serve();
  job.positions[3] = job.positions[2];
  try {
    assembly->find_ground_state(job.positions);
    FAIL() << "it found a ground state";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("two ions are at the same place"), std::string::npos);
  }
}

/// The message of the error that making the objects ends with, in this process.
std::string refusal(const Job& job) {
  ProgressQueue progress;
  try {
    ab_initio::make_assembly(job, shared(1), progress);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(GroundStateOverProcesses, IonsAtTheSamePlaceAreRefusedByAll) {
  // Only process 0 computes the energy of the ions.
  Job job = gth_job();
  job.positions[3] = job.positions[2];
  EXPECT_NE(refusal(job).find("two ions are at the same place"), std::string::npos) << refusal(job);
}

TEST(GroundStateOverProcesses, AnUnknownFunctionalIsRefusedByAll) {
  EXPECT_NE(refusal(gth_job("nobody's")).find("nobody's"), std::string::npos);
}

TEST(GroundStateOverProcesses, AnErrorOfThePartOfOneProcessReachesAll) {
  // Projectors end before the longest wave, which only one part has, and so one process.
  Job job = gth_job();
  job.division = {5, 6, 6};
  const ab_initio::Basis basis(job);
  std::vector<double> longest;
  for (int part = 0; part < basis.parts(); ++part)
    longest.push_back(std::sqrt(std::ranges::max(basis.waves(part).squares())));
  std::ranges::sort(longest);
  ASSERT_LT(longest[4], longest[5]);
  // A finer table that ends between the two.
  const double end = (longest[4] + longest[5]) / 2;
  job.table_spacing = (longest[5] - longest[4]) / 20;
  for (auto& species : job.species) {
    species = gth_species(species.symbol == "H" ? gth_hydrogen() : gth_silicon(), job.table_spacing,
                          2 * job.largest_wave());
    for (auto& projector : species.projectors)
      projector.values.resize(static_cast<std::size_t>(end / job.table_spacing) + 5);
  }
  EXPECT_NE(refusal(job).find("outside of a table"), std::string::npos) << refusal(job);
}

TEST(GroundStateOverProcesses, AnErrorDuringARunEndsAll) {
  // Only process 0 has the minimiser, which finds that the energy is not a number.
  Job job = gth_job();
  job.division = {1, 2, 2};
  for (double& value : job.species[1].local) value = 1e308;
  ProgressQueue progress;
  const auto assembly = ab_initio::make_assembly(job, shared(2), progress);
  if (!is_first()) return assembly->serve();
  try {
    assembly->find_ground_state();
    FAIL() << "it found a ground state";
  } catch (const NumericsError& error) {
    EXPECT_NE(std::string(error.what()).find("not a number"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace fg::test
