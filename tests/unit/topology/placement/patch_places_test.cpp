// SPDX-License-Identifier: BSD-3-Clause
//
// The ways to place patches: in rows, along the Hilbert curve, and by bisection on a mesh of hosts.
#include "topology/placement/patch_places.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "topology/placement/patch_rows.hpp"
#include "unit/topology/placement/job_places.hpp"

namespace fg::topology {
namespace {

TEST(PatchPlaces, PreferACubeOfPatchesOnEachHostOfACube) {
  Coordinates mesh(64, 3);
  for (int host = 0; host < 64; ++host)
    std::ranges::copy(std::array{host / 16, host / 4 % 4, host % 4}, mesh.of(host).begin());
  const std::vector<std::int64_t> loads(512, 1000);
  const PatchPlaces first = patch_candidates({8, 8, 8}, loads, regular_pes(64), mesh).front();
  EXPECT_EQ(first.way, "bisection");
  for (int patch = 0; patch < 512; ++patch) {
    const int x = patch / 64, y = patch / 8 % 8, z = patch % 8;
    EXPECT_EQ(first.pe_of[static_cast<std::size_t>(patch)], x / 2 * 16 + y / 2 * 4 + z / 2);
  }
}

TEST(PatchPlaces, AreCutToProcessesOnlyWhereAHostHasSeveral) {
  const std::vector<std::int64_t> loads(64, 1000);
  const auto cuts_to_processes = [&](const std::vector<PePlace>& pes) {
    return std::ranges::any_of(
        patch_candidates({4, 4, 4}, loads, pes, hosts_in_a_row(2)),
        [](const PatchPlaces& one) { return one.way == "bisection to processes"; });
  };
  EXPECT_FALSE(cuts_to_processes(regular_pes(2, 1, 4)));
  EXPECT_TRUE(cuts_to_processes(regular_pes(2, 4)));
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
