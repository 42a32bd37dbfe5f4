// SPDX-License-Identifier: BSD-3-Clause
//
// Patches that are thinner than the pair lists reach, and pairs by midpoints: the same forces as
// those of half shells of wide patches, and the same bits on any number of PEs, after restarts, and
// while objects move.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "classical/division/box_division.hpp"
#include "classical/machinery.hpp"
#include "support/classical/frames.hpp"
#include "support/classical/pair_system.hpp"
#include "support/classical/water_job.hpp"
#include "support/effort.hpp"

namespace fg::test {
namespace {

using namespace fg::classical;

struct Case {
  const char* name;
  WaterJobOptions options;
  std::int64_t steps = 40;
};

class ThinPatches : public ::testing::TestWithParam<Case> {};

Frame last_of(const System& system, const MachineOptions& options, const State& start,
              std::int64_t steps, FramePurpose purpose = FramePurpose::last) {
  OutputQueue output;
  const auto machinery = make_machinery(system, options, output);
  Schedule schedule(system.job().settings, system.job().dynamics, start.step, steps);
  if (purpose == FramePurpose::checkpoint) schedule.stop_after(steps / 2 - 5);
  machinery->run(schedule, start);
  return last_frame(output, purpose);
}

State start_of(const System& system) {
  State state = state_of_job(system.job());
  prepare_for_dynamics(system, state);
  return state;
}

TEST_P(ThinPatches, SameBits) {
  const auto& [name, options, steps] = GetParam();
  const Job job = water_job(options);
  const System system(job);
  const State start = start_of(system);
  const auto digest_of = [&](MachineOptions machine, const State& from) {
    machine.pin = false;
    machine.profile = machine.balance != "none";
    return digest(last_of(system, machine, from, steps));
  };
  const std::string one = digest_of({.pes = 1, .map = "block"}, start);
  for (const int pes : few_with_watch(1, {3, 2, 5, 8}))
    EXPECT_EQ(digest_of({.pes = pes}, start), one) << pes;
  EXPECT_EQ(digest_of({.pes = 3, .map = "hashed"}, start), one);
  for (const char* const balancer : few_with_watch(1, {"random", "refine"}))
    EXPECT_EQ(digest_of({.pes = 3, .balance = balancer, .balance_steps = 1}, start), one)
        << balancer;
  const Frame stopped = last_of(system, {.pes = 2, .pin = false, .profile = false}, start, steps,
                                FramePurpose::checkpoint);
  EXPECT_EQ(digest_of({.pes = 3}, state_after(stopped, job)), one);
}

/// The energies and virials of a run, and its last positions.
struct Course {
  std::vector<EnergyTotals> rows;
  std::vector<Vec3> position;
};

Course course_of(const WaterJobOptions& options, bool typed) {
  Job job = water_job(options);
  job.dynamics.energy_interval = 4;  // also with a mesh every second step
  if (typed) {
    PairSystem atoms{.atoms = {.sigma = job.atoms.sigma, .epsilon = job.atoms.epsilon}};
    give_types(atoms);
    job.lennard_jones_types = atoms.atoms.types;
  }
  const System system(job);
  OutputQueue output;
  const auto machinery = make_machinery(system, {.pes = 2, .pin = false, .profile = false}, output);
  machinery->run(Schedule(job.settings, job.dynamics, 0, 10), start_of(system));
  Course course;
  for (auto& item : output.take(std::chrono::milliseconds(0))) {
    if (auto* row = std::get_if<EnergyTotals>(&item)) course.rows.push_back(std::move(*row));
    if (auto* frame = std::get_if<Frame>(&item); frame && frame->purpose == FramePurpose::last)
      course.position = std::move(frame->position);
  }
  return course;
}

/// Only the order of sums differs. A pair at the cutoff moves its atoms by some 1e-6 bohr in 10
/// steps, and has 1e-8 hartree of the energy.
void expect_close(const Course& thin, const Course& wide) {
  double largest = 0;
  ASSERT_EQ(thin.position.size(), wide.position.size());
  for (std::size_t atom = 0; atom < thin.position.size(); ++atom)
    largest = std::max(largest, norm(thin.position[atom] - wide.position[atom]));
  EXPECT_LT(largest, 1e-9);
  ASSERT_EQ(thin.rows.size(), wide.rows.size());
  ASSERT_GE(thin.rows.size(), 2u);
  for (std::size_t row = 0; row < thin.rows.size(); ++row) {
    const EnergyTotals &a = thin.rows[row], &b = wide.rows[row];
    for (std::size_t term = 0; term < a.terms.size(); ++term)
      EXPECT_NEAR(a.terms[term], b.terms[term], 1e-7) << row << " " << term;
    for (std::size_t c = 0; c < a.virial.size(); ++c)
      EXPECT_NEAR(a.virial[c], b.virial[c], 1e-6) << row << " " << c;
  }
}

TEST_P(ThinPatches, MoveAtomsAsWideOnesDo) {
  WaterJobOptions options = GetParam().options;
  options.precision = Precision::double_precision;
  if (options.compressed) options.patches = {4, 4, 4};  // as many as fit into the usual box
  options.compressed = false;
  for (const bool typed : few_with_watch(1, {false, true})) {
    WaterJobOptions coarse = options;
    coarse.patches = {2, 1, 2};
    coarse.reach = {1, 1, 1};
    coarse.pairs = PairAssignment::half_shell;
    expect_close(course_of(options, typed), course_of(coarse, typed));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Jobs, ThinPatches,
    ::testing::Values(
        Case{"Two", {.patches = {4, 4, 4}, .reach = {2, 2, 2}, .pair_computes = 4}},
        Case{"ThreeOnOneAxis", {.patches = {2, 1, 7}, .reach = {1, 1, 3}, .pair_computes = 3}},
        Case{"Three", {.patches = {6, 4, 5}, .reach = {3, 2, 3}, .pair_computes = 1}, 20},
        Case{"Four", {.patches = {9, 2, 8}, .reach = {4, 1, 4}, .pair_computes = 1}, 20},
        Case{"TiltedLangevinSites",
             {.patches = {3, 3, 3},
              .reach = {2, 2, 2},
              .pair_computes = 2,
              .integrator = IntegratorKind::langevin,
              .sites = true,
              .tilted = true}},
        Case{"Piston",
             {.patches = {4, 4, 3},
              .reach = {2, 2, 2},
              .pair_computes = 2,
              .restraints = true,
              .rescaling = true,
              .barostat = BarostatKind::langevin_piston}},
        Case{"Compressed",
             {.patches = {6, 6, 6}, .reach = {2, 2, 2}, .pair_computes = 1, .compressed = true},
             60},
        Case{"Impulses",
             {.patches = {4, 2, 4},
              .reach = {2, 1, 2},
              .pair_computes = 5,
              .long_range_interval = 2}},
        Case{"Levels",
             {.patches = {4, 2, 4},
              .reach = {2, 1, 2},
              .pair_computes = 5,
              .restraints = true,
              .pair_interval = 2,
              .long_range_interval = 2}},
        Case{"MidpointsOfWide",
             {.patches = {2, 2, 1}, .pair_computes = 1, .pairs = PairAssignment::midpoint}},
        Case{"MidpointsOfTwo",
             {.patches = {4, 4, 4},
              .reach = {2, 2, 2},
              .pair_computes = 1,
              .pairs = PairAssignment::midpoint}},
        Case{"MidpointsOfThree",
             {.patches = {6, 4, 5},
              .reach = {3, 2, 3},
              .pair_computes = 1,
              .pairs = PairAssignment::midpoint},
             20},
        Case{"MidpointsOfFour",
             {.patches = {9, 2, 8},
              .reach = {4, 1, 4},
              .pair_computes = 1,
              .pairs = PairAssignment::midpoint},
             20},
        Case{"MidpointsTiltedLangevinSites",
             {.patches = {3, 3, 3},
              .reach = {2, 2, 2},
              .pair_computes = 1,
              .pairs = PairAssignment::midpoint,
              .integrator = IntegratorKind::langevin,
              .sites = true,
              .tilted = true}},
        Case{"CutCellsPiston",
             {.patches = {4, 4, 3},
              .reach = {2, 2, 2},
              .pair_computes = 1,
              .pairs = PairAssignment::midpoint,
              .cells = {3, 5, 2},
              .rescaling = true,
              .barostat = BarostatKind::langevin_piston}},
        Case{"CutCellsTilted",
             {.patches = {3, 3, 3},
              .reach = {2, 2, 2},
              .pair_computes = 1,
              .pairs = PairAssignment::midpoint,
              .cells = {2, 2, 4},
              .sites = true,
              .tilted = true}},
        Case{"CutCellsCompressed",
             {.patches = {6, 6, 6},
              .reach = {2, 2, 2},
              .pair_computes = 1,
              .pairs = PairAssignment::midpoint,
              .cells = {4, 3, 5},
              .compressed = true},
             60},
        Case{"MidpointsCompressed",
             {.patches = {6, 6, 6},
              .reach = {2, 2, 2},
              .pair_computes = 1,
              .pairs = PairAssignment::midpoint,
              .compressed = true},
             60}),
    [](const auto& info) { return info.param.name; });

/// A box that shrinks gets fewer patches, and keeps the reach.
TEST(ThinPatchesInAShrinkingBox, BecomeFewer) {
  const Job job =
      water_job({.patches = {6, 6, 6}, .reach = {2, 2, 2}, .pair_computes = 1, .compressed = true});
  const System system(job);
  const Frame last =
      last_of(system, {.pes = 2, .pin = false, .profile = false}, start_of(system), 60);
  EXPECT_LT(last.bath.division.patches.x, 6);
  EXPECT_GT(last.bath.division.patches.x, 2);
}

}  // namespace
}  // namespace fg::test
