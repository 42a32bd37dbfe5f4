// SPDX-License-Identifier: BSD-3-Clause
//
// The estimate of a step counts the objects and messages that a run has, and its parts are the
// times of one of each kind of work. The times themselves are compared with measured ones by
// bench/accuracy/work_estimate.py.
#include "classical/step_estimate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "classical/assembly.hpp"
#include "classical/division/cut_cells.hpp"
#include "classical/machinery.hpp"
#include "support/classical/water_job.hpp"

namespace fg::test {
namespace {

using namespace fg::classical;

constexpr WaterJobOptions water{.per_axis = 12, .patches = {3, 3, 3}, .pair_computes = 3};
constexpr WaterJobOptions slab{
    .per_axis = 12, .patches = {3, 3, 3}, .pair_computes = 3, .slab = true};

StepEstimate estimate_of(const Job& job, int pes) {
  const auto found = estimate_steps(job, std::array{division_of(job)}, pes);
  EXPECT_TRUE(found.at(0));
  return found[0].value();
}

TEST(StepEstimate, PartsAreWhatKindsOfWorkTake) {
  const Job job = water_job(water);
  const StepEstimate step = estimate_of(job, 1);
  const System system(job);
  const WorkEstimate work =
      estimate_work(system, system.grid(), job.atoms.position, ForceParts::all);
  const auto sum = [](const std::vector<ObjectWork>& objects, WorkKind kind) {
    return std::accumulate(objects.begin(), objects.end(), std::int64_t{0},
                           [&](auto so_far, const auto& one) { return so_far + one.counts[kind]; });
  };
  const auto time = [](WorkKind kind) { return work_picoseconds[kind]; };
  const std::int64_t atoms = system.atoms(), points = 48 * 48 * 48;
  // 27 patches, spreaders and bonded computes, 81 pair computes, 4 pencils on each axis
  EXPECT_EQ(step.objects, 27 + 27 + 27 + 81 + 12);
  const auto& [pairs, spread, transforms, bonded, patches, messages] = step.picoseconds;
  std::int64_t of_lists = 0;
  for (const WorkKind kind : {of_pair, of_pair_atom, of_list_patch, of_list_row}) {
    EXPECT_GT(sum(work.pairs, kind), 0);
    of_lists += sum(work.pairs, kind) * time(kind);
  }
  EXPECT_EQ(pairs, of_lists);
  EXPECT_EQ(spread, atoms * time(of_mesh_atom) + 27 * (points / 27) * time(of_grid_point));
  EXPECT_EQ(transforms, points * time(of_z_point) + 2 * points * time(of_line_point));
  EXPECT_EQ(bonded, system.terms().size() * time(of_bonded_term));
  EXPECT_EQ(patches, atoms * time(of_patch_atom));
  EXPECT_EQ(messages, step.objects * time(of_object) + 27 * time(of_message));
  EXPECT_EQ(std::accumulate(step.picoseconds.begin(), step.picoseconds.end(), std::int64_t{0}),
            step.whole);
  EXPECT_EQ(step.fullest, step.whole);  // on one PE
}

TEST(StepEstimate, TakesLongerInDoublePrecision) {
  WaterJobOptions options = water;
  const StepEstimate mixed = estimate_of(water_job(options), 2);
  options.precision = Precision::double_precision;
  const StepEstimate twice = estimate_of(water_job(options), 2);
  EXPECT_EQ(twice.objects, mixed.objects);
  EXPECT_EQ(twice.picoseconds[3], mixed.picoseconds[3]);  // bonded terms always are
  EXPECT_EQ(twice.picoseconds[2], 2 * mixed.picoseconds[2]);
  EXPECT_GT(twice.whole, 1.2 * mixed.whole);
  EXPECT_LT(twice.whole, 2 * mixed.whole);
}

TEST(StepEstimate, KnowsTheFullestPeAndPatch) {
  const Job even = water_job(water), uneven = water_job(slab);
  EXPECT_LT(estimate_of(even, 8).most_atoms, 1.3 * even.atoms.size() / 27);
  EXPECT_GT(estimate_of(uneven, 8).most_atoms, 2 * uneven.atoms.size() / 27);
  for (const Job& job : {even, uneven}) {
    const StepEstimate step = estimate_of(job, 8);
    EXPECT_GE(step.fullest, step.whole / 8);
    EXPECT_LT(step.fullest, step.whole / 4);
  }
}

TEST(StepEstimate, CountsTheMessagesOfARun) {
  using Levels = std::pair<int, int>;  // of pair forces, of the mesh
  for (const auto& [pairs, interval] : {Levels{1, 1}, Levels{1, 2}, Levels{2, 2}}) {
    for (const bool is_slab : {false, true}) {
      WaterJobOptions options = is_slab ? slab : water;
      options.pair_interval = pairs;
      options.long_range_interval = interval;
      Job job = water_job(options);
      job.settings.rebuild_interval = 40;  // none between the steps that are counted
      job.settings.prune_interval = 20;
      job.dynamics.com_interval = 0;
      const System system(job);
      State state = state_of_job(job);
      prepare_for_dynamics(system, state);
      OutputQueue output;
      const auto machinery =
          make_machinery(system, {.pes = 1, .pin = false, .profile = true}, output);
      const auto messages_so_far = [&](std::int64_t steps) {  // of all runs
        machinery->run(Schedule(job.settings, job.dynamics, 0, steps), state);
        output.take(std::chrono::milliseconds(0));
        return static_cast<double>(machinery->profile().pes.at(0).processed);
      };
      const double shorter = messages_so_far(10), longer = messages_so_far(30) - shorter;
      const double counted = (longer - shorter) / 20;
      EXPECT_NEAR(estimate_of(job, 1).messages, counted, 0.02 * counted)
          << pairs << interval << is_slab;
    }
  }
}

/// The pairs of each cell, by the middle of the first atoms of two fragments.
std::vector<double> pairs_with_midpoints(const System& system) {
  const auto& [x, y, z] = system.job().settings.reach;
  const PatchGrid& grid = system.grid();
  const FragmentTable& fragments = system.fragments();
  std::vector<double> pairs(static_cast<std::size_t>(grid.size()));
  const auto first = [&](int fragment) {
    return system.job().atoms.position[static_cast<std::size_t>(fragments.atoms(fragment)[0])];
  };
  const Box& box = grid.box();
  const double cutoff = system.job().settings.inner_list_cutoff;
  // An odd reach has its cells half a patch further on.
  Vec3 back{};
  for (const auto& [axis, reach] : {std::pair{0, x}, {1, y}, {2, z}})
    if (reach % 2 != 0)
      back[axis] = 0.5 * box.edge[axis] / grid.shape()[static_cast<std::size_t>(axis)];
  for (int a = 0; a < fragments.size(); ++a)
    for (int b = a; b < fragments.size(); ++b) {
      const Vec3 apart = box.nearest_image(first(b) - first(a));
      if (norm(apart) >= cutoff) continue;
      const Vec3 middle = first(a) + apart * 0.5 - back;
      const auto of_a = static_cast<double>(fragments.atoms(a).size());
      const auto of_b = static_cast<double>(fragments.atoms(b).size());
      pairs[static_cast<std::size_t>(grid.flat(grid.place(middle).patch))] +=
          a == b ? of_a * (of_a - 1) / 2 : of_a * of_b;
    }
  return pairs;
}

TEST(StepEstimate, GivesCellsThePairsWhoseMidpointTheyHold) {
  for (const Int3& reach : {Int3{1, 1, 1}, Int3{2, 2, 2}, Int3{3, 2, 3}})
    for (const bool is_slab : {false, true}) {
      // As many layers of the lattice in each patch.
      const auto patches = [](int along) { return along == 1 ? 3 : 6; };
      WaterJobOptions options{.per_axis = 12,
                              .patches = {patches(reach.x), patches(reach.y), patches(reach.z)},
                              .reach = reach,
                              .pair_computes = 1,
                              .pairs = PairAssignment::midpoint,
                              .slab = is_slab};
      const Job job = water_job(options);
      options.pairs = PairAssignment::half_shell;
      const Job job_of_halves = water_job(options);
      const System by_midpoints(job), by_halves(job_of_halves);
      const auto estimated = [](const System& system) {
        std::vector<double> pairs;
        for (const ObjectWork& one :
             estimate_work(system, system.grid(), system.job().atoms.position, ForceParts::all)
                 .pairs)
          pairs.push_back(static_cast<double>(one.counts[of_pair]));
        return pairs;
      };
      const std::vector<double> found = estimated(by_midpoints);
      const double all = std::accumulate(found.begin(), found.end(), 0.0);
      const std::vector<double> half_shells = estimated(by_halves);
      // Half shells count in small cells.
      EXPECT_NEAR(all, std::accumulate(half_shells.begin(), half_shells.end(), 0.0), 0.02 * all);

      const std::vector<double> counted = pairs_with_midpoints(by_midpoints);
      EXPECT_NEAR(all, std::accumulate(counted.begin(), counted.end(), 0.0), 1e-3 * all);
      ASSERT_EQ(found.size(), counted.size());
      // Cells with few fragments have their pairs at few places, so layers of cells are compared.
      const PatchGrid& grid = by_midpoints.grid();
      const auto difference_of_layers = [&](std::size_t axis, int up) {
        const int layers = grid.shape()[axis];
        std::vector<double> differences(static_cast<std::size_t>(layers));
        for (std::size_t p = 0; p < found.size(); ++p) {
          const int layer = grid.unflat(static_cast<int>(p))[axis];
          differences[static_cast<std::size_t>(layer)] += found[p];
          differences[static_cast<std::size_t>((layer + up + layers) % layers)] -= counted[p];
        }
        double sum = 0;
        for (const double difference : differences) sum += std::abs(difference);
        return sum / all;
      };
      for (const std::size_t axis : {0, 1, 2})
        EXPECT_LT(difference_of_layers(axis, 0), 0.2) << reach.x << " " << is_slab << " " << axis;
      if (is_slab) {
        EXPECT_GT(difference_of_layers(2, 1), 0.4);
        EXPECT_GT(difference_of_layers(2, -1), 0.4);
      }
    }
}

TEST(StepEstimate, ComparesDivisionsAndLeavesOutThoseThatAreRefused) {
  const Job job = water_job(water);
  Division coarse = division_of(job), thin = coarse, wide = coarse;
  coarse.patches = {1, 1, 1};
  thin.patches = {3, 3, 5};  // thinner than lists reach
  wide.inner_list_cutoff *= 1.05;
  const auto found = estimate_steps(job, std::array{coarse, thin, wide}, 8);
  ASSERT_EQ(found.size(), 3u);
  ASSERT_TRUE(found[0] && found[2]);
  EXPECT_FALSE(found[1]);
  const StepEstimate own = estimate_of(job, 8);
  EXPECT_EQ(found[0]->most_atoms, job.atoms.size());
  EXPECT_LT(found[0]->objects, own.objects);
  EXPECT_LT(found[0]->whole, own.whole);
  EXPECT_GT(found[0]->fullest, own.fullest);  // its three pair computes cannot be shared by eight
  EXPECT_GT(found[2]->whole, own.whole);
}

/// Another division in between does not matter, and the job's own has its cells.
TEST(StepEstimate, OfADivisionWithCutCellsDoesNotDependOnTheOthers) {
  Job job = water_job({.per_axis = 12,
                       .patches = {4, 4, 4},
                       .reach = {2, 2, 2},
                       .pair_computes = 1,
                       .pairs = PairAssignment::midpoint});
  const std::int64_t uncut = estimate_of(job, 8).objects;
  job.cells = cut_cells(job, {2, 3, 2});
  const Division own = division_of(job);
  Division other = own;
  other.patches = {3, 4, 4};
  const auto found = estimate_steps(job, std::array{own, other, own}, 8);
  ASSERT_TRUE(found[0] && found[1] && found[2]);
  EXPECT_EQ(found[2]->picoseconds, found[0]->picoseconds);
  EXPECT_EQ(found[0]->objects, uncut - 64 + 12);
  EXPECT_EQ(found[1]->objects, found[0]->objects - 3 * 16);  // patches, spreaders, bonded computes
}

TEST(StepEstimate, IsTheSameForEveryReader) {
  const StepEstimate step = estimate_of(water_job(water), 2);
  const std::string work = work_in_words(step), pace = pace_in_words(step, 41.34, 2);
  EXPECT_NE(work.find("pair forces"), std::string::npos) << work;
  EXPECT_NE(work.find("in 174 objects"), std::string::npos) << work;
  EXPECT_NE(pace.find("ns/day on 2 PEs"), std::string::npos) << pace;
  EXPECT_NE(pace.find(work_fit), std::string::npos) << pace;
  EXPECT_EQ(pace_in_words(step, 0, 2).find("ns/day"), std::string::npos);
}

}  // namespace
}  // namespace fg::test
