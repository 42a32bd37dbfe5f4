// SPDX-License-Identifier: BSD-3-Clause
//
// For any grid of patches and any division of the half shell: every pair of atoms closer than the
// radius of a list is in the list exactly once, its exclusion bit is right, and atoms may move by
// half the buffer before a pair is missed. The number of pairs within the radius is that of all.
#include "particles/pair_list.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "support/classical/pair_system.hpp"
#include "support/each_simd_target.hpp"
#include "support/random_cells.hpp"

namespace fg {
namespace {

using IdPair = std::pair<std::int32_t, std::int32_t>;

struct Found {
  int times = 0;
  bool excluded = false;
};

/// Pairs in the lists that are closer than `cutoff` at the positions that the lists were given.
template <class Real>
std::map<IdPair, Found> pairs_in(test::PatchedSystem<Real>& patched, bool inner, double cutoff) {
  std::map<IdPair, Found> found;
  patched.for_each_compute([&](PairWork<Real>& work, const auto& ids) {
    const PairList& list = inner ? work.inner_list() : work.outer_list();
    const Neighbourhood<Real>& n = work.neighbourhood();
    const double scaled = cutoff * n.length_scale();
    const auto look = [&](std::uint32_t home, std::uint32_t partner, std::uint32_t bits) {
      for (int row = 0; row < 4; ++row) {
        for (int column = 0; column < 4; ++column) {
          const std::uint32_t bit = 1u << (4 * column + row);
          const std::int32_t a = ids[home / quad::stride][row];
          const std::int32_t b = ids[partner / quad::stride][column];
          if (!(bits & bit << 16) || a < 0 || b < 0) continue;
          double r2 = 0;
          for (int axis = 0; axis < 3; ++axis) {
            const double d = double(n.data()[home + quad::x + 4 * axis + row]) -
                             n.data()[partner + quad::x + 4 * axis + column];
            r2 += d * d;
          }
          if (r2 >= scaled * scaled) continue;
          Found& f = found[std::minmax(a, b)];
          ++f.times;
          f.excluded = !(bits & bit);
        }
      }
    };
    for (const PairRow& row : list.rows) {
      for (std::uint32_t k = row.masked_begin; k < row.masked_end; ++k)
        look(row.home, list.masked[k].partner, list.masked[k].bits);
      for (std::uint32_t k = row.free_begin; k < row.free_end; ++k)
        look(row.home, list.free[k], 0xFFFFFFFFu);
      EXPECT_EQ((row.free_end - row.free_begin) % list.group, 0u);
      EXPECT_EQ((row.masked_end - row.masked_begin) % list.group, 0u);
    }
  });
  return found;
}

/// All computes count the pairs within the radius of their inner lists, which are new.
void expect_counted(test::PatchedSystem<double>& patched, double cutoff) {
  std::int64_t counted = 0;
  patched.for_each_compute(
      [&](const PairWork<double>& work, const auto&) { counted += work.listed_pairs(); });
  EXPECT_EQ(counted, std::ssize(pairs_in(patched, true, cutoff)));
}

void expect_complete(const test::PairSystem& system, std::span<const Vec3> positions,
                     const std::map<IdPair, Found>& found, double cutoff) {
  std::size_t expected = 0;
  const auto n = static_cast<std::int32_t>(positions.size());
  std::vector<std::int32_t> room;
  for (std::int32_t a = 0; a < n; ++a) {
    const auto excluded = system.exclusions.of(a, room);
    for (std::int32_t b = a + 1; b < n; ++b) {
      if (norm(system.box.nearest_image(positions[a] - positions[b])) >= cutoff) continue;
      ++expected;
      const auto at = found.find({a, b});
      ASSERT_NE(at, found.end()) << a << " " << b << " is missing";
      EXPECT_EQ(at->second.times, 1) << a << " " << b;
      EXPECT_EQ(at->second.excluded, std::binary_search(excluded.begin(), excluded.end(), b));
    }
  }
  EXPECT_GT(expected, 0u);
  EXPECT_EQ(found.size(), expected);
}

using PairListProperty = test::EachSimdTarget;

struct Cut {
  std::array<int, 3> molecules, shape;
  std::vector<int> runs;
  PatchOffset reach{1, 1, 1};
  PairAssignment assignment = PairAssignment::half_shell;
  std::array<int, 3> cells{};  // cut anywhere; none: one for each patch
};

test::PatchedSystem<double> patched_system(const test::PairSystem& system, const Cut& cut,
                                           const PairSettings& settings) {
  if (cut.assignment == PairAssignment::half_shell)
    return {system, cut.shape, settings, cut.runs, HalfShell(cut.reach)};
  const PatchGrid grid(system.box, cut.shape);
  return {system, cut.shape, settings,
          cut.cells[0] == 0
              ? MidpointCells(grid, cut.reach)
              : MidpointCells(grid, cut.reach, test::random_cells(cut.cells, cut.shape, 13))};
}

TEST_P(PairListProperty, HoldsEveryPairOnceAndMayAgeByHalfItsBuffer) {
  PairSettings settings{.cutoff = 9.0,
                        .switch_distance = 0,
                        .coulomb = Coulomb::reaction_field,
                        .ewald_coefficient = 0,
                        .reaction_field_dielectric = 80,
                        .list_cutoff = 11.0,
                        .inner_list_cutoff = 9.6};
  const std::vector<int> each(14, 1);
  constexpr auto midpoint = PairAssignment::midpoint;
  for (const Cut& cut :
       {Cut{{4, 4, 4}, {1, 1, 1}, {14}}, Cut{{4, 4, 4}, {2, 2, 2}, {14}},
        Cut{{6, 4, 8}, {3, 2, 4}, each}, Cut{{4, 6, 4}, {1, 2, 1}, {4, 10}},
        Cut{{6, 4, 8}, {6, 4, 8}, {20, 43}, {2, 2, 2}}, Cut{{4, 4, 4}, {3, 1, 6}, {}, {2, 1, 3}},
        Cut{{4, 4, 4}, {1, 1, 1}, {}, {1, 1, 1}, midpoint},
        Cut{{4, 6, 4}, {1, 2, 1}, {}, {1, 1, 1}, midpoint},
        Cut{{6, 4, 8}, {3, 2, 4}, {}, {1, 1, 1}, midpoint},
        Cut{{6, 4, 8}, {6, 4, 8}, {}, {2, 2, 2}, midpoint},
        Cut{{4, 4, 4}, {3, 1, 6}, {}, {2, 1, 3}, midpoint},
        Cut{{6, 4, 4}, {9, 2, 6}, {}, {3, 1, 3}, midpoint},
        Cut{{6, 4, 4}, {12, 2, 8}, {}, {4, 1, 4}, midpoint},
        Cut{{4, 4, 4}, {1, 1, 1}, {}, {1, 1, 1}, midpoint, {3, 2, 1}},
        Cut{{6, 4, 8}, {3, 2, 4}, {}, {1, 1, 1}, midpoint, {5, 2, 3}},
        Cut{{6, 4, 8}, {6, 4, 8}, {}, {2, 2, 2}, midpoint, {2, 4, 5}},
        Cut{{4, 4, 4}, {3, 1, 6}, {}, {2, 1, 3}, midpoint, {4, 4, 4}},
        Cut{{6, 4, 4}, {12, 2, 8}, {}, {4, 1, 4}, midpoint, {1, 1, 7}}}) {
    const test::PairSystem system = test::make_water(cut.molecules, 21);
    auto patched = patched_system(system, cut, settings);
    // Distances computed in other frames differ in their last bits, so stay away from the edge.
    const double list = settings.list_cutoff - 1e-9, inner = settings.inner_list_cutoff - 1e-9;
    expect_complete(system, system.positions, pairs_in(patched, false, list), list);
    expect_complete(system, system.positions, pairs_in(patched, true, inner), inner);
    expect_counted(patched, inner);

    std::mt19937 random(4);
    const double step = 0.5 * (settings.list_cutoff - settings.inner_list_cutoff) / std::sqrt(3.0);
    std::uniform_real_distribution<double> uniform(-step, step);
    std::vector<Vec3> moved = system.positions;
    for (Vec3& r : moved) r += {uniform(random), uniform(random), uniform(random)};
    patched.move(moved);
    patched.prune();
    expect_complete(system, moved, pairs_in(patched, true, inner), inner);
    expect_counted(patched, inner);
  }
}

FG_ON_EACH_SIMD_TARGET(PairListProperty);

}  // namespace
}  // namespace fg
