// SPDX-License-Identifier: BSD-3-Clause
#include "particles/midpoint_candidates.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "base/box.hpp"
#include "particles/assignment/cut_space.hpp"
#include "particles/assignment/midpoint_cells.hpp"
#include "particles/cluster_order.hpp"
#include "particles/midpoints.hpp"

namespace fg {
namespace {

/// The quads of a patch, filled with atoms at random.
struct Quads {
  std::vector<std::int32_t> ids;  // by slot
  std::vector<double> positions;  // [clusters][3][8] from the middle of the patch
  std::vector<QuadPlace> places{};

  Vec3 at(std::size_t slot) const {
    const double* const r = positions.data() + number_of_slot(static_cast<int>(slot));
    return {r[0], r[cluster_size], r[2 * cluster_size]};
  }
};

/// `stray`: how far beyond its patch an atom may be, in patches.
Quads filled(const PatchGrid& grid, std::mt19937& random, double stray) {
  std::uniform_real_distribution<double> uniform(-0.5, 0.5);
  constexpr int clusters = 3;
  Quads quads{.ids = std::vector<std::int32_t>(clusters * cluster_size, -1),
              .positions = std::vector<double>(clusters * cluster_numbers, 1e5)};
  for (std::size_t quad = 0; quad < quads.ids.size() / quad_size; ++quad) {
    const auto atoms = static_cast<std::size_t>(random() % (quad_size + 1));  // none, too
    const Vec3 middle{uniform(random), uniform(random), uniform(random)};
    for (std::size_t slot = quad * quad_size; slot < quad * quad_size + atoms; ++slot) {
      quads.ids[slot] = static_cast<std::int32_t>(slot);
      const double spread = random() % 9 == 0 ? 2 * stray : 0.2;
      Vec3 fraction{};
      for (int axis = 0; axis < 3; ++axis)
        fraction[axis] = (middle[axis] + spread * uniform(random)) /
                         grid.shape()[static_cast<std::size_t>(axis)];
      const Vec3 r = grid.box().position(fraction);
      double* const to = quads.positions.data() + number_of_slot(static_cast<int>(slot));
      for (int axis = 0; axis < 3; ++axis) to[axis * cluster_size] = r[axis];
    }
  }
  place_quads(grid, quads.ids, quads.positions.data(), quads.places);
  return quads;
}

bool close(const Quads& a, std::size_t quad, const Quads& b, std::size_t other, const Vec3& shift,
           double cutoff) {
  for (std::size_t i = quad * quad_size; i < (quad + 1) * quad_size; ++i)
    for (std::size_t j = other * quad_size; j < (other + 1) * quad_size; ++j) {
      if (a.ids[i] < 0 || b.ids[j] < 0) continue;
      const Vec3 way = b.at(j) + shift - a.at(i);
      if (dot(way, way) < cutoff * cutoff) return true;
    }
  return false;
}

struct Case {
  Box box;
  std::array<int, 3> patches;
  PatchOffset reach;
  std::array<int, 3> cells;  // cut at random; none: one for each patch
  double cutoff, stray;
  double most;  // part of all quads that may be candidates; cells of one size meet nearly all
};

TEST(MidpointCandidates, HaveAllPairsWithTheirMidpointInTheCell) {
  const Box straight{.edge = {36, 30, 33}}, tilted{.edge = {36, 30, 33}, .tilt = {9, -12, 10}};
  for (const Case& c : {Case{straight, {3, 3, 3}, {1, 1, 1}, {}, 9, 0.3, 1},
                        Case{straight, {3, 3, 3}, {1, 1, 1}, {9, 9, 9}, 6, 0.3, 0.4},
                        Case{tilted, {3, 3, 3}, {1, 1, 1}, {9, 9, 9}, 6, 0.3, 0.4},
                        Case{tilted, {6, 6, 6}, {2, 2, 2}, {}, 9, 0.3, 1},
                        Case{straight, {6, 5, 6}, {2, 2, 2}, {12, 10, 8}, 7, 0.2, 0.4},
                        Case{straight, {3, 3, 3}, {1, 1, 1}, {6, 6, 6}, 9, 40, 1}}) {
    const PatchGrid grid(c.box, c.patches);
    std::mt19937 random(11);
    std::vector<Quads> patches;
    for (int p = 0; p < grid.size(); ++p) patches.push_back(filled(grid, random, c.stray));
    const MidpointCells cells =
        c.cells[0] > 0
            ? MidpointCells(grid, c.reach, cut_space(SpaceSums(SpaceBins(grid)), c.cells))
            : MidpointCells(grid, c.reach);
    MidpointCandidates candidates;
    std::int64_t pairs = 0, held = 0, all = 0;
    for (int number = 0; number < cells.computes(); number += 5) {
      const PairPart part = cells.part(cells.element(number));
      std::vector<MidpointSide> sides;
      std::vector<const Quads*> quads;
      for (const PairSide& side : part.sides) {
        quads.push_back(&patches[static_cast<std::size_t>(grid.flat(side.patch))]);
        sides.push_back({side.offset, quads.back()->places});
      }
      candidates.find(*part.cell, sides, grid.widths(), c.cutoff);
      const auto each = static_cast<std::int32_t>(patches.front().places.size());
      ASSERT_EQ(candidates.all_quads(), each * static_cast<std::int32_t>(sides.size()));
      held += std::ssize(candidates.quads());
      all += candidates.all_quads();
      for (std::size_t p = 0; p < sides.size(); ++p)
        for (std::size_t q = p; q < sides.size(); ++q) {
          const auto range = part.cell->between(sides[p].offset, sides[q].offset);
          if (!range) continue;
          PatchOffset between{};
          for (std::size_t axis = 0; axis < 3; ++axis)
            between[axis] = sides[q].offset[axis] - sides[p].offset[axis];
          const Vec3 shift = grid.shift(between);
          for (std::int32_t i = 0; i < each; ++i)
            for (std::int32_t j = 0; j < each; ++j) {
              const std::int32_t a = static_cast<std::int32_t>(p) * each + i;
              const std::int32_t b = static_cast<std::int32_t>(q) * each + j;
              if (!range->holds(candidates.point(a), candidates.point(b)) ||
                  !close(*quads[p], static_cast<std::size_t>(i), *quads[q],
                         static_cast<std::size_t>(j), shift, c.cutoff))
                continue;
              ++pairs;
              EXPECT_TRUE(candidates.holds(a) && candidates.holds(b)) << number;
            }
        }
    }
    EXPECT_GT(pairs, 80);
    EXPECT_LE(static_cast<double>(held), c.most * static_cast<double>(all));
  }
}

TEST(MidpointCandidates, AreByPatch) {
  const PatchGrid grid(Box{.edge = {30, 30, 30}}, {3, 3, 3});
  std::mt19937 random(3);
  const Quads quads = filled(grid, random, 0.3);
  const MidpointCells cells(grid, {1, 1, 1});
  const PairPart part = cells.part({0, 0, 0, 0});
  std::vector<MidpointSide> sides;
  for (const PairSide& side : part.sides) sides.push_back({side.offset, quads.places});
  MidpointCandidates candidates;
  candidates.find(*part.cell, sides, grid.widths(), 8);
  EXPECT_EQ(candidates.first(0), 0);
  std::int32_t found = 0;
  for (int side = 0; side < static_cast<int>(sides.size()); ++side) {
    EXPECT_EQ(candidates.has_any(side), candidates.first(side) < candidates.first(side + 1));
    for (std::int32_t i = candidates.first(side); i < candidates.first(side + 1); ++i, ++found)
      EXPECT_EQ(candidates.quads()[static_cast<std::size_t>(i)] /
                    static_cast<std::int32_t>(quads.places.size()),
                side);
  }
  EXPECT_EQ(found, std::ssize(candidates.quads()));
}

}  // namespace
}  // namespace fg
