// SPDX-License-Identifier: BSD-3-Clause
//
// The choice between ways to cut: counts that were known before, and never more than the best way.
#include "topology/placement/patch_places.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "particles/patch_grid.hpp"
#include "topology/placement/patch_bisection.hpp"
#include "topology/placement/patch_rows.hpp"
#include "unit/topology/placement/job_places.hpp"

namespace fg::topology {
namespace {

const auto partners = std::span(half_shell).subspan(1);

PatchShape cube(int side) {
  return {{side, side, side}};
}

std::vector<std::int64_t> equal_loads(int side) {
  return std::vector<std::int64_t>(static_cast<std::size_t>(side * side * side), 1000);
}

/// With one PE in each process on a host of its own, the PE is the process.
std::int64_t pairs(int side, const std::vector<int>& pe_of) {
  return patch_process_pairs(cube(side), partners, pe_of);
}

TEST(PatchPlaces, RowsAgainstBisectionAsCountedBefore) {
  // Ratios that a separate program counted for these grids when rows were the default.
  for (const auto& [side, hosts, ratio] :
       {std::tuple{8, 16, 1.35}, {8, 64, 1.83}, {16, 16, 1.85}, {16, 64, 2.06}}) {
    const auto pes = regular_pes(hosts);
    const auto mesh = hosts_in_a_row(hosts);
    const auto rows = pairs(side, row_patches(cube(side).sides, equal_loads(side), pes, mesh));
    const auto cubes =
        pairs(side, bisected_patches(cube(side).sides, equal_loads(side), pes, mesh));
    EXPECT_NEAR(static_cast<double>(rows) / static_cast<double>(cubes), ratio, 0.005);
  }
}

TEST(PatchPlaces, SendNoMoreThanAnyWay) {
  for (const int side : {6, 8, 10, 16})
    for (const int hosts : {2, 3, 4, 12, 27, 64, 100, 512}) {
      if (hosts > side * side * side) continue;
      const auto pes = regular_pes(hosts);
      const auto mesh = hosts_in_a_row(hosts);
      const auto loads = equal_loads(side);
      const PatchPlaces best = best_patch_places(cube(side), loads, pes, mesh, partners);
      EXPECT_EQ(best.pairs, pairs(side, best.pe_of));
      const std::int64_t even = (side * side * side + hosts - 1) / hosts * 1000;
      for (const PatchPlaces& way : patch_candidates(cube(side), loads, pes, mesh, partners))
        if (way.fullest == even) {
          EXPECT_LE(best.pairs, way.pairs) << way.way;
        }
      EXPECT_LE(best.fullest, even + even / 20);
    }
}

TEST(PatchPlaces, CountHopsOnAMeshOfSeveralDimensions) {
  // A cube of eight patches on each host, at the place of the host. Other ways send as few
  // positions, but farther.
  Coordinates mesh(64, 3);
  for (int host = 0; host < 64; ++host)
    std::ranges::copy(std::array{host / 16, host / 4 % 4, host % 4}, mesh.of(host).begin());
  const PatchPlaces best =
      best_patch_places(cube(8), equal_loads(8), regular_pes(64), mesh, partners);
  EXPECT_EQ(best.way, "bisection");
  for (int patch = 0; patch < 512; ++patch) {
    const int x = patch / 64, y = patch / 8 % 8, z = patch % 8;
    EXPECT_EQ(best.pe_of[static_cast<std::size_t>(patch)], x / 2 * 16 + y / 2 * 4 + z / 2);
  }
}

TEST(PatchPlaces, CountProcessesNotPes) {
  // All PEs in one process: nothing is sent, whichever PE has a patch.
  const PatchPlaces best =
      best_patch_places(cube(4), equal_loads(4), regular_pes(1, 1, 8), hosts_in_a_row(1), partners);
  EXPECT_EQ(best.pairs, 0);
  EXPECT_EQ(best.fullest, 8000);
  EXPECT_EQ(best.way, "bisection");
}

TEST(PatchRows, AreRangesOfTheRow) {
  const std::array sides{2, 3, 4};
  const std::vector<std::int64_t> loads(24, 1);
  const auto mesh = hosts_in_a_row(3);
  const auto rows = row_patches(sides, loads, regular_pes(3), mesh);
  for (int patch = 0; patch < 24; ++patch)
    EXPECT_EQ(rows[static_cast<std::size_t>(patch)], patch / 8);
  const auto last_slowest = row_patches(sides, loads, regular_pes(2), mesh, {2, 1, 0});
  for (int patch = 0; patch < 24; ++patch)
    EXPECT_EQ(last_slowest[static_cast<std::size_t>(patch)], patch % 4 / 2);
}

TEST(PatchRows, GoAlongTheHilbertCurveOnBothSides) {
  // Cubes of patches on a cube of hosts: neighbours along the curve are neighbours in the mesh.
  const std::array sides{4, 4, 4};
  const std::vector<std::int64_t> loads(64, 1);
  Coordinates mesh(8, 3);
  for (int host = 0; host < 8; ++host)
    std::ranges::copy(std::array{host / 4, host / 2 % 2, host % 2}, mesh.of(host).begin());
  const auto pe_of = hilbert_patches(sides, loads, regular_pes(8), mesh);
  EXPECT_EQ(counts_of_pes(8, pe_of), std::vector<int>(8, 8));
  for (int x = 0; x < 4; x += 2)
    for (int y = 0; y < 4; y += 2)
      for (int z = 0; z < 4; z += 2) {
        const auto first = static_cast<std::size_t>((x * 4 + y) * 4 + z);
        EXPECT_EQ(pe_of[first], pe_of[first + 21]);  // the opposite corner of 2 x 2 x 2
      }
}

}  // namespace
}  // namespace fg::topology
