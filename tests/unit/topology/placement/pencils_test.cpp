// SPDX-License-Identifier: BSD-3-Clause
//
// Pencils near their patches: the case of the paper, the three ways to find the place of a PE, and
// what holds for any grid.
#include "topology/placement/pencils.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "unit/topology/placement/job_places.hpp"

namespace fg::topology {
namespace {

// Section V of Phillips et al., SC14, 81 (2014): 5 x 5 pencils become 2 x 5 and 3 x 5, with 10 and
// 15 of the PEs.
TEST(ZPencils, AreBisectedWithThePes) {
  // A patch on each PE; PE 5 y + x has the patch at x, y. The numbers of PEs go along x first,
  // those of patches along y.
  std::vector<int> pe_of_patch;
  for (int patch = 0; patch < 25; ++patch) pe_of_patch.push_back(patch % 5 * 5 + patch / 5);
  const auto pes = regular_pes(25);
  const auto places = z_pencil_places({5, 5}, {5, 5, 1}, pe_of_patch, pes, pencil_pes(pes, 25));
  EXPECT_EQ(places, pe_of_patch);
  // Only x differs: the first two rows of pencils have the ten PEs with the lowest x.
  std::vector<int> along_x;
  for (int patch = 0; patch < 25; ++patch) along_x.push_back(24 - patch);
  const auto rows = z_pencil_places({5, 5}, {25, 1, 1}, along_x, pes, pencil_pes(pes, 25));
  for (int pencil = 0; pencil < 25; ++pencil)
    EXPECT_EQ(rows[static_cast<std::size_t>(pencil)] >= 15, pencil < 10) << pencil;
}

TEST(ZPencils, GoByThePatchesOfTheProcessThenOfTheHost) {
  // Two hosts with two processes of two PEs. Patches only on PE 0 (x = 3) and PE 4 (x = 0). PE 1
  // has a neighbour in its process, PEs 2 and 3 on their host.
  const auto pes = regular_pes(2, 2, 2);
  const std::vector<int> pe_of_patch{4, 4, 0, 0};
  const std::vector<int> chosen{1, 2, 5, 7};
  const auto places = z_pencil_places({4, 1}, {4, 1, 1}, pe_of_patch, pes, chosen);
  EXPECT_EQ(places, (std::vector{5, 7, 1, 2}));
}

TEST(ZPencils, UseTheMiddleWhereAHostHasNoPatch) {
  const auto pes = regular_pes(3);
  const std::vector<int> pe_of_patch{2, 2, 0, 0};
  EXPECT_EQ(z_pencil_places({3, 1}, {4, 1, 1}, pe_of_patch, pes, std::vector{0, 1, 2}),
            (std::vector{2, 1, 0}));
}

TEST(PencilPes, AreEvenAndWithoutPatchesIfTheyCan) {
  std::mt19937 random(3);
  for (int round = 0; round < 60; ++round) {
    const int hosts = 1 + static_cast<int>(random() % 5),
              processes = 1 + static_cast<int>(random() % 3);
    const int threads = 1 + static_cast<int>(random() % 4);
    const auto pes = regular_pes(hosts, processes, threads);
    const auto count = static_cast<int>(1 + random() % (2 * pes.size()));
    // A patch on the first PE of each process.
    std::vector<int> pe_of_patch;
    for (std::size_t pe = 0; pe < pes.size(); pe += static_cast<std::size_t>(threads))
      pe_of_patch.push_back(static_cast<int>(pe));
    const auto with = pes_with_patches(pe_of_patch, pes.size());
    const auto chosen = pencil_pes(pes, count, with);
    ASSERT_EQ(chosen.size(), static_cast<std::size_t>(count));
    std::vector<int> of_host(static_cast<std::size_t>(hosts));
    std::vector<int> of_process(static_cast<std::size_t>(hosts * processes));
    int on_patches = 0;
    for (const int pe : chosen) {
      ++of_host[static_cast<std::size_t>(pes[static_cast<std::size_t>(pe)].host)];
      ++of_process[static_cast<std::size_t>(pes[static_cast<std::size_t>(pe)].process)];
      on_patches += with[static_cast<std::size_t>(pe)] ? 1 : 0;
    }
    for (const auto& counts : {of_host, of_process, counts_of_pes(pes.size(), chosen)}) {
      const auto [least, most] = std::ranges::minmax(counts);
      EXPECT_LE(most - least, 1);
    }
    if (count <= hosts * processes * (threads - 1)) {
      EXPECT_EQ(on_patches, 0);
    }
  }
}

TEST(ZPencils, AreEachOnOneOfTheChosenPes) {
  std::mt19937 random(9);
  for (int round = 0; round < 60; ++round) {
    const std::array<int, 2> grid{1 + static_cast<int>(random() % 9),
                                  1 + static_cast<int>(random() % 9)};
    const auto pes = regular_pes(1 + static_cast<int>(random() % 30), 2, 2);
    std::vector<int> pe_of_patch;
    for (int patch = 0; patch < 60; ++patch)
      pe_of_patch.push_back(static_cast<int>(random() % pes.size()));
    const auto chosen = pencil_pes(pes, grid[0] * grid[1]);
    auto places = z_pencil_places(grid, {4, 5, 3}, pe_of_patch, pes, chosen);
    std::ranges::sort(places);
    EXPECT_EQ(places, chosen);
  }
}

TEST(PlanePencils, WithTheSameZAreOnPesInARow) {
  // 3 x 2 pencils of each kind, z is the second index.
  const std::vector<int> twelve{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, six{0, 2, 4, 6, 8, 10};
  const PlanePencils apart = plane_pencil_places({3, 2}, twelve);
  EXPECT_EQ(apart.y, (std::vector{0, 6, 1, 7, 2, 8}));
  EXPECT_EQ(apart.x, (std::vector{3, 9, 4, 10, 5, 11}));
  const PlanePencils together = plane_pencil_places({3, 2}, six);
  EXPECT_EQ(together.y, (std::vector{0, 6, 2, 8, 4, 10}));
  EXPECT_EQ(together.x, together.y);
  // Fewer PEs than pencils: still in a row.
  EXPECT_EQ(plane_pencil_places({3, 2}, std::vector{4, 9}).y, (std::vector{4, 9, 4, 9, 4, 9}));
}

}  // namespace
}  // namespace fg::topology
