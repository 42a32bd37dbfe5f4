// SPDX-License-Identifier: BSD-3-Clause
#include "particles/assignment/midpoint_cells.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <utility>
#include <vector>

#include "support/random_cells.hpp"

namespace fg {
namespace {

/// Places in patches, half of them on faces.
class Places {
 public:
  PatchPoint in_a_patch() {
    PatchPoint point{};
    for (std::int32_t& at : point) {
      const int where = coin_(random_);
      at = where == 0 ? -patch_length / 2 : where == 1 ? patch_length / 2 - 1 : anywhere_(random_);
    }
    return point;
  }
  int between(int first, int last) {
    return std::uniform_int_distribution<int>(first, last)(random_);
  }

 private:
  std::mt19937 random_{3};
  std::uniform_int_distribution<std::int32_t> anywhere_{-patch_length / 2, patch_length / 2 - 1};
  std::uniform_int_distribution<int> coin_{0, 3};
};

struct Quad {
  PatchIndex patch;  // in a periodic box, counted on beyond its edges
  PatchPoint at;
};

/// The number of times that a cell has the pair, under any of the images of both quads together.
int times(const PatchGrid& grid, const MidpointCells& cells, const Quad& a, const Quad& b) {
  int found = 0;
  for (int i = 0; i < cells.computes(); ++i) {
    const PairPart part = cells.part(cells.element(i));
    const PatchIndex home = part.sides.front().patch;
    // Both quads under the image that has `a` at this side of the cell.
    for (const PairSide& side : part.sides) {
      if (side.patch != grid.neighbour(a.patch, {0, 0, 0})) continue;
      PatchOffset to_b{};
      for (std::size_t axis = 0; axis < 3; ++axis)
        to_b[axis] = side.offset[axis] + b.patch[axis] - a.patch[axis];
      const auto range = part.cell->between(side.offset, to_b);
      const QuadPlace place_a{a.at, {}}, place_b{b.at, {}};
      const MidpointSide at_a{side.offset, {&place_a, 1}}, at_b{to_b, {&place_b, 1}};
      if (!range || !range->holds(from_middle(at_a, 0), from_middle(at_b, 0))) continue;
      ++found;
      EXPECT_TRUE(std::ranges::any_of(part.sides,
                                      [&](const PairSide& other) { return other.offset == to_b; }));
      EXPECT_TRUE(grid.reaches(home, to_b));
    }
  }
  return found;
}

constexpr std::array<PatchOffset, 6> reaches{
    {{1, 1, 1}, {2, 2, 2}, {3, 3, 3}, {4, 4, 4}, {1, 2, 3}, {4, 3, 1}}};

void expect_one_cell(const PatchGrid& grid) {
  Places places;
  const auto& shape = grid.shape();
  const bool periodic = grid.box().periodic;
  for (const PatchOffset& reach : reaches) {
    const std::vector<MidpointCells> all{
        MidpointCells(grid, reach),
        MidpointCells(grid, reach, test::random_cells({1, 1, 1}, shape, 1)),
        MidpointCells(grid, reach, test::random_cells({4, 3, 2}, shape, 2)),
        MidpointCells(grid, reach, test::random_cells({2, 5, 7}, shape, 3))};
    for (const MidpointCells& cells : all)
      for (int trial = 0; trial < 200; ++trial) {
        Quad a{.patch = {}, .at = places.in_a_patch()}, b{.patch = {}, .at = places.in_a_patch()};
        for (std::size_t axis = 0; axis < 3; ++axis) {
          const int last = shape[axis] - 1;
          const auto low = [&](int from) { return periodic ? from : std::max(from, 0); };
          const auto high = [&](int to) { return periodic ? to : std::min(to, last); };
          a.patch[axis] = places.between(0, last);
          b.patch[axis] =
              places.between(low(a.patch[axis] - reach[axis]), high(a.patch[axis] + reach[axis]));
        }
        EXPECT_EQ(times(grid, cells, a, b), 1);
      }
  }
}

TEST(MidpointCells, ExactlyOneHasAPair) {
  expect_one_cell(PatchGrid(Box{.edge = {50, 50, 50}}, {5, 5, 5}));
}

TEST(MidpointCells, ExactlyOneHasAPairWhereImagesArePartners) {
  expect_one_cell(PatchGrid(Box{.edge = {10, 20, 30}}, {1, 2, 3}));
}

TEST(MidpointCells, ExactlyOneOfAnOpenBoxHasAPair) {
  expect_one_cell(PatchGrid(Box{.edge = {50, 10, 60}, .periodic = false}, {5, 1, 6}));
}

/// Along an axis 2, 3, 4 and 5 patches with a reach of 1 to 4: on both sides of an upper face with
/// an odd reach, and around the patch with an even one.
TEST(MidpointCells, OfOneSizeNeedAsManyPatchesAsTheReachAndOne) {
  const PatchGrid grid(Box{.edge = {90, 90, 90}}, {9, 9, 9});
  for (const auto& [reach, size] : std::vector<std::pair<PatchOffset, std::size_t>>{
           {{1, 1, 1}, 8}, {{2, 2, 2}, 27}, {{3, 4, 3}, 80}, {{4, 1, 2}, 30}}) {
    const MidpointCells cells(grid, reach);
    for (int i = 0; i < cells.computes(); ++i) {
      const PairPart part = cells.part(cells.element(i));
      EXPECT_EQ(cells.home(cells.element(i)), grid.unflat(i));
      ASSERT_EQ(part.sides.size(), size);
      for (const PairSide& side : part.sides) {
        PatchOffset opposite{};
        for (std::size_t axis = 0; axis < 3; ++axis)
          opposite[axis] = reach[axis] % 2 - side.offset[axis];
        EXPECT_TRUE(std::ranges::any_of(
            part.sides, [&](const PairSide& other) { return other.offset == opposite; }));
      }
    }
  }
}

/// Along an axis a cell as wide as a patch needs one patch more than the reach, and with a plane
/// near the middle between patches that are so far apart, one more.
TEST(MidpointCells, CutAnywhereNeedAboutAsManyPatches) {
  const PatchGrid grid(Box{.edge = {80, 80, 80}}, {8, 8, 8});
  std::mt19937 random(5);
  std::uniform_int_distribution<std::int32_t> shift(-CellCut::edge / 20, CellCut::edge / 20);
  CellCut cut{.shape = {8, 8, 8}, .planes = {}};
  for (int list = 0; list < 1 + 8 + 64; ++list)
    for (int i = 0; i <= 8; ++i)
      cut.planes.push_back(i * (CellCut::edge / 8) + (i % 8 == 0 ? 0 : shift(random)));
  for (const int reach : {1, 2, 3}) {
    const MidpointCells cells(grid, {reach, reach, reach}, cut);
    double sides = 0;
    for (int i = 0; i < cells.computes(); ++i)
      sides += static_cast<double>(cells.part(cells.element(i)).sides.size()) / cells.computes();
    const double of_one_size = (reach + 1) * (reach + 1) * (reach + 1);
    EXPECT_LT(sides, (reach == 1 ? 1.6 : 1.3) * of_one_size) << reach << " " << sides;
    EXPECT_GT(sides, 0.9 * of_one_size) << reach;
  }
}

/// A box that shrinks has fewer patches; the planes stay where they are.
TEST(MidpointCells, FollowABoxThatGetsFewerPatches) {
  const CellCut cut = test::random_cells({3, 4, 5}, {8, 8, 8}, 9);
  const PatchGrid many(Box{.edge = {80, 80, 80}}, {8, 8, 8}),
      few(Box{.edge = {70, 70, 70}}, {7, 5, 3});
  const MidpointCells before(many, {2, 2, 2}, cut), after(few, {2, 2, 2}, cut);
  for (int i = 0; i < before.computes(); ++i)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto one = before.space(before.element(i))[axis];
      const auto other = after.space(after.element(i))[axis];
      const double patches = 8.0 / few.shape()[axis];
      EXPECT_NEAR(static_cast<double>(one.low), patches * static_cast<double>(other.low), 4);
      EXPECT_NEAR(static_cast<double>(one.high), patches * static_cast<double>(other.high), 4);
      EXPECT_LT(other.low, other.high);
    }
}

}  // namespace
}  // namespace fg
