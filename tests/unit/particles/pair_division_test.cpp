// SPDX-License-Identifier: BSD-3-Clause
#include "particles/assignment/pair_division.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "particles/assignment/half_shell_pairs.hpp"
#include "particles/assignment/midpoint_cells.hpp"
#include "support/random_cells.hpp"

namespace fg {
namespace {

struct Divided {
  PatchGrid grid;
  std::shared_ptr<const PairDivision> pairs;
};

std::vector<Divided> divisions() {
  std::vector<Divided> all;
  for (const bool periodic : {true, false})
    for (const auto& [shape, reach] : std::vector<std::array<std::array<int, 3>, 2>>{
             {{{1, 1, 1}, {1, 1, 1}}}, {{{2, 3, 5}, {1, 1, 2}}}, {{{7, 1, 4}, {3, 1, 2}}}}) {
      const PatchGrid grid(Box{.edge = {40, 50, 60}, .periodic = periodic}, shape);
      const auto add = [&](auto division) { all.push_back({grid, division}); };
      for (const int runs : {1, 4})
        add(std::make_shared<HalfShellPairs>(grid, PairRuns(HalfShell(reach), runs)));
      add(std::make_shared<MidpointCells>(grid, reach));
      for (const std::array<int, 3>& cells :
           {std::array{1, 1, 1}, std::array{3, 2, 5}, std::array{6, 4, 1}})
        add(std::make_shared<MidpointCells>(grid, reach, test::random_cells(cells, shape, 7)));
    }
  return all;
}

TEST(PairDivision, ListenersAreTheComputesThatNeedThePatch) {
  for (const auto& [grid, pairs] : divisions()) {
    std::vector<std::vector<PairDivision::Element>> needed(static_cast<std::size_t>(grid.size()));
    int depositors = 0;
    for (int i = 0; i < pairs->computes(); ++i) {
      const auto element = pairs->element(i);
      EXPECT_EQ(pairs->number(element), i);
      const PairPart part = pairs->part(element);
      EXPECT_EQ(pairs->exists(element), !part.sides.empty());
      depositors += part.sides.empty() ? 0 : 1;
      if (part.sides.empty()) continue;
      EXPECT_EQ(part.sides.front().patch, pairs->home(element));
      EXPECT_EQ(part.sides.front().offset, PatchOffset{});
      for (const PairSide& side : part.sides) {
        EXPECT_TRUE(grid.reaches(part.sides.front().patch, side.offset));
        EXPECT_EQ(side.patch, grid.neighbour(part.sides.front().patch, side.offset));
        auto& of_patch = needed[static_cast<std::size_t>(grid.flat(side.patch))];
        if (of_patch.empty() || of_patch.back() != element) of_patch.push_back(element);
      }
      std::vector<PatchOffset> offsets;
      for (const PairSide& side : part.sides) offsets.push_back(side.offset);
      std::ranges::sort(offsets);
      EXPECT_EQ(std::ranges::adjacent_find(offsets), offsets.end());
    }
    EXPECT_EQ(pairs->depositors(), depositors);
    for (int p = 0; p < grid.size(); ++p)
      EXPECT_EQ(pairs->listeners(grid.unflat(p)), needed[static_cast<std::size_t>(p)]);
  }
}

}  // namespace
}  // namespace fg
