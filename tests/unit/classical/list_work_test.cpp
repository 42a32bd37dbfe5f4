// SPDX-License-Identifier: BSD-3-Clause
#include "classical/division/list_work.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "classical/division/cut_cells.hpp"
#include "support/classical/lists_of_job.hpp"
#include "support/classical/water_job.hpp"

namespace fg::classical {
namespace {

using test::water_job, test::WaterJobOptions;

/// Each thing of all lists together.
struct Sums {
  double pairs = 0, atoms = 0, patches = 0, rows = 0;
};

Sums listed(const Job& job) {
  const test::PairSystem atoms = test::atoms_of(job);
  auto lists = test::lists_of(job, atoms);
  Sums sums;
  lists.for_each_compute([&](const auto& work, const auto&) {
    sums.pairs += static_cast<double>(work.listed_pairs());
    sums.atoms += static_cast<double>(work.atoms());
    sums.rows += static_cast<double>(work.inner_list().rows.size());
    for (int p = 0; p < work.neighbourhood().partners(); ++p)
      sums.patches += work.touched(p).empty() ? 0 : 1;
  });
  return sums;
}

std::vector<ListWork> estimated(const Job& job) {
  const System system(job);
  return work_of_lists(system.grid(), *pair_division(system, system.grid()),
                       count_pairs(system, system.grid(), start_positions(job)),
                       job.settings.inner_list_cutoff);
}

struct Case {
  std::string name;
  WaterJobOptions options;
  std::array<int, 3> cells{};
};

class ListWorkOf : public ::testing::TestWithParam<Case> {};

TEST_P(ListWorkOf, IsAboutAsInTheListsThemselves) {
  const auto& [name, options, cells] = GetParam();
  Job job = water_job(options);
  if (cells[0] > 0) job.cells = cut_cells(job, cells);
  const Sums found = listed(job);
  Sums expected;
  std::int64_t midpoint_atoms = 0;
  for (const ListWork& list : estimated(job)) {
    expected.pairs += static_cast<double>(list.pairs);
    expected.atoms += static_cast<double>(list.atoms);
    expected.patches += static_cast<double>(list.patches);
    expected.rows += static_cast<double>(list.rows);
    midpoint_atoms += list.midpoint_atoms;
  }
  EXPECT_NEAR(expected.pairs, found.pairs, 0.05 * found.pairs);
  // These lists have each atom in a patch by itself, without its fragment.
  EXPECT_NEAR(expected.atoms, found.atoms, 0.01 * found.atoms);
  EXPECT_NEAR(expected.patches, found.patches, 0.35 * found.patches);
  EXPECT_NEAR(expected.rows, found.rows, 0.3 * found.rows);
  const bool by_midpoints = options.pairs == PairAssignment::midpoint;
  EXPECT_EQ(static_cast<double>(midpoint_atoms), by_midpoints ? expected.atoms : 0);
}

constexpr auto midpoint = PairAssignment::midpoint;

INSTANTIATE_TEST_SUITE_P(
    All, ListWorkOf,
    ::testing::Values(
        Case{"one", {.per_axis = 12, .patches = {3, 3, 3}, .pair_computes = 1}},
        Case{"several", {.per_axis = 12, .patches = {3, 3, 3}, .pair_computes = 4}},
        Case{"each", {.per_axis = 12, .patches = {3, 3, 3}, .pair_computes = 14}},
        Case{"thin",
             {.per_axis = 12, .patches = {6, 6, 6}, .reach = {2, 2, 2}, .pair_computes = 1}},
        Case{"midpoint",
             {.per_axis = 12, .patches = {3, 3, 3}, .pair_computes = 1, .pairs = midpoint}},
        Case{"midpoint_thin",
             {.per_axis = 12,
              .patches = {6, 6, 6},
              .reach = {2, 2, 2},
              .pair_computes = 1,
              .pairs = midpoint}},
        Case{"cells",
             {.per_axis = 12, .patches = {3, 3, 3}, .pair_computes = 1, .pairs = midpoint},
             {6, 5, 7}},
        Case{"cells_of_thin",
             {.per_axis = 12,
              .patches = {6, 6, 6},
              .reach = {2, 2, 2},
              .pair_computes = 1,
              .pairs = midpoint},
             {5, 6, 4}}),
    [](const auto& of) { return of.param.name; });

TEST(ListWork, OfAComputeWithoutPairsIsNone) {
  for (const auto pairs : {PairAssignment::half_shell, midpoint}) {
    const Job job = water_job({.per_axis = 12,
                               .patches = {3, 3, 6},
                               .reach = {1, 1, 2},
                               .pair_computes = 1,
                               .pairs = pairs,
                               .slab = true});
    int empty = 0;
    for (const ListWork& list : estimated(job)) {
      if (list.pairs > 0) continue;
      ++empty;
      EXPECT_EQ(list.rows, 0);
      EXPECT_EQ(list.patches, 0);
    }
    EXPECT_GT(empty, 8);
  }
}

/// Each compute by itself: places depend on that.
TEST(ListWork, DiffersBetweenCellsAsInTheirLists) {
  Job job =
      water_job({.per_axis = 12, .patches = {3, 3, 3}, .pair_computes = 1, .pairs = midpoint});
  job.cells = cut_cells(job, {6, 2, 3});
  const test::PairSystem atoms = test::atoms_of(job);
  auto lists = test::lists_of(job, atoms);
  const auto expected = estimated(job);
  double apart = 0, sum = 0;
  std::size_t next = 0;
  lists.for_each_compute([&](const auto& work, const auto&) {
    const auto rows = static_cast<double>(work.inner_list().rows.size());
    apart += std::abs(static_cast<double>(expected.at(next++).rows) - rows);
    sum += rows;
  });
  EXPECT_EQ(next, expected.size());
  EXPECT_LT(apart, 0.3 * sum);
}

}  // namespace
}  // namespace fg::classical
