// SPDX-License-Identifier: BSD-3-Clause
//
// Patches and PEs bisected together: cases that are clear by hand, and what holds for every case.
#include "topology/placement/patch_bisection.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "base/error.hpp"
#include "topology/placement/patch_points.hpp"
#include "topology/placement/snake_order.hpp"
#include "unit/topology/placement/job_places.hpp"
#include "unit/topology/placement/points.hpp"

namespace fg::topology {
namespace {

std::vector<std::int64_t> equal_loads(const std::array<int, 3>& sides, std::int64_t load = 10) {
  return std::vector<std::int64_t>(static_cast<std::size_t>(sides[0] * sides[1] * sides[2]), load);
}

std::vector<int> patches_of(int pe, const std::vector<int>& pe_of) {
  std::vector<int> patches;
  for (std::size_t i = 0; i < pe_of.size(); ++i)
    if (pe_of[i] == pe) patches.push_back(static_cast<int>(i));
  return patches;
}

TEST(PatchBisection, MakesCubesOfACube) {
  const std::array sides{4, 4, 4};
  const Coordinates points = patch_points(sides);
  for (const auto& [hosts, side] : {std::pair{8, 2}, {64, 1}}) {
    const auto pe_of =
        bisected_patches(sides, equal_loads(sides), regular_pes(hosts), hosts_in_a_row(hosts));
    for (int pe = 0; pe < hosts; ++pe)
      EXPECT_EQ(spans_of(points, patches_of(pe, pe_of)), (std::vector{side, side, side}));
  }
}

TEST(PatchBisection, PutsTheLongestSideAlongTheLongestDimension) {
  // As many patches as hosts, on a mesh with the same sides in another order: each patch is at the
  // place of its host, so that the order of its axes is the only difference.
  const std::array sides{2, 8, 4};
  const Coordinates mesh = box_points({4, 2, 8}), points = patch_points(sides);
  const auto pe_of = bisected_patches(sides, equal_loads(sides), regular_pes(64), mesh);
  for (int patch = 0; patch < 64; ++patch) {
    const int host = pe_of[static_cast<std::size_t>(patch)];
    EXPECT_EQ(points.at(patch, 1), mesh.at(host, 2));
    EXPECT_EQ(points.at(patch, 2), mesh.at(host, 0));
    EXPECT_EQ(points.at(patch, 0), mesh.at(host, 1));
  }
}

TEST(PatchBisection, UsesTheOtherDimensionsOfALargerMesh) {
  // Halves along the one dimension of the mesh that is left, in any of five.
  const std::array sides{8, 1, 1};
  for (int d = 0; d < 5; ++d) {
    std::vector<int> box(5, 1);
    box[static_cast<std::size_t>(d)] = 8;
    EXPECT_EQ(bisected_patches(sides, equal_loads(sides), regular_pes(8), box_points(box)),
              (std::vector{0, 1, 2, 3, 4, 5, 6, 7}));
  }
}

TEST(PatchBisection, CutsBetweenHosts) {
  // Hosts with 1 and 3 PEs: the first has a quarter of the patches, although half of them would be
  // between two PEs.
  const std::vector<PePlace> pes{{0, 0}, {1, 1}, {1, 1}, {1, 1}};
  const std::array sides{16, 1, 1};
  const auto pe_of = bisected_patches(sides, equal_loads(sides), pes, hosts_in_a_row(2));
  EXPECT_EQ(counts_of_pes(4, pe_of)[0], 4);
  for (int patch = 0; patch < 4; ++patch) EXPECT_EQ(pe_of[static_cast<std::size_t>(patch)], 0);
}

TEST(PatchBisection, HasRowsInsideAHost) {
  const std::array sides{2, 2, 8};
  std::vector<int> expected;
  for (int patch = 0; patch < 32; ++patch) expected.push_back(patch / 8);
  EXPECT_EQ(bisected_patches(sides, equal_loads(sides), regular_pes(1, 2, 2), hosts_in_a_row(1)),
            expected);
  // Down to the processes in space: the longest side is cut between them.
  const auto in_space = bisected_patches(sides, equal_loads(sides), regular_pes(1, 2, 2),
                                         hosts_in_a_row(1), {.processes_in_space = true});
  for (int patch = 0; patch < 32; ++patch)
    EXPECT_EQ(in_space[static_cast<std::size_t>(patch)] / 2, patch % 8 / 4);
}

TEST(PatchBisection, CutsAtPlanesThatAreFairEnough) {
  // Half of 5 x 3 x 3 patches is inside a plane. Planes that are off by less than one part in
  // twenty are found with unequal loads only: the first two planes have as much as the other three.
  const std::array sides{5, 3, 3};
  std::vector<std::int64_t> loads = equal_loads(sides, 20);
  for (std::size_t i = 0; i < 18; ++i) loads[i] = 31;  // 558 and 540
  const auto mesh = hosts_in_a_row(2);
  const auto planes = bisected_patches(sides, loads, regular_pes(2), mesh, {.planes = true});
  EXPECT_EQ(counts_of_pes(2, planes), (std::vector{18, 27}));
  const auto equal =
      bisected_patches(sides, equal_loads(sides), regular_pes(2), mesh, {.planes = true});
  EXPECT_EQ(counts_of_pes(2, equal), (std::vector{22, 23}));
}

TEST(PatchBisection, PrefersAnAxisWithMoreWeight) {
  const std::array sides{4, 4, 3};
  const auto pe_of = bisected_patches(sides, equal_loads(sides), regular_pes(3), hosts_in_a_row(3),
                                      {.weights = {1, 1, 3}});
  for (int patch = 0; patch < 48; ++patch)
    EXPECT_EQ(pe_of[static_cast<std::size_t>(patch)], patch % 3);
}

TEST(PatchBisection, TakesTheOtherWorkOfAPeIntoAccount) {
  std::vector<PePlace> pes = regular_pes(2);
  pes[0].already = 40;
  const std::array sides{12, 1, 1};
  const auto pe_of = bisected_patches(sides, equal_loads(sides), pes, hosts_in_a_row(2));
  EXPECT_EQ(work_of_pes(pes, equal_loads(sides), pe_of), (std::vector<std::int64_t>{80, 80}));
}

TEST(PatchBisection, FollowsShares) {
  const std::vector<PePlace> pes{{0, 0, 3}, {1, 1, 1}};
  const std::array sides{8, 2, 1};
  const auto pe_of = bisected_patches(sides, equal_loads(sides), pes, hosts_in_a_row(2));
  EXPECT_EQ(counts_of_pes(2, pe_of), (std::vector{12, 4}));
}

TEST(PatchBisection, GivesEveryPeAPatchOrEveryPatchAPe) {
  std::mt19937 random(7);
  for (int round = 0; round < 150; ++round) {
    const auto below = [&](unsigned n) { return static_cast<int>(random() % n); };
    const std::array sides{1 + below(6), 1 + below(6), 1 + below(6)};
    const Coordinates mesh = box_points({1 + below(3), 1 + below(4), 1 + below(3)});
    std::vector<PePlace> pes;
    for (int host = 0; host < mesh.nodes(); ++host)
      for (int i = below(5); i >= 0; --i) pes.push_back({host, 2 * host + i % 2});
    std::ranges::shuffle(pes, random);
    std::vector<std::int64_t> loads = equal_loads(sides);
    for (std::int64_t& load : loads) load = below(4) == 0 ? 1000 : below(20);
    for (const PatchCuts& cuts : {PatchCuts{}, {.planes = true}, {.processes_in_space = true}}) {
      const auto pe_of = bisected_patches(sides, loads, pes, mesh, cuts);
      ASSERT_EQ(pe_of.size(), loads.size());
      const std::vector<int> counts = counts_of_pes(pes.size(), pe_of);
      if (loads.size() >= pes.size())
        EXPECT_GE(*std::ranges::min_element(counts), 1);
      else
        EXPECT_EQ(*std::ranges::max_element(counts), 1);
    }
  }
}

TEST(PatchBisection, IsEvenForEqualLoads) {
  const std::array sides{6, 5, 7};  // 210 patches
  for (int pes = 1; pes <= 210; ++pes) {
    const auto pe_of =
        bisected_patches(sides, equal_loads(sides), regular_pes(pes), hosts_in_a_row(pes));
    const std::vector<int> counts = counts_of_pes(static_cast<std::size_t>(pes), pe_of);
    EXPECT_EQ(*std::ranges::max_element(counts), (210 + pes - 1) / pes) << pes;
  }
}

TEST(PatchBisection, DoesNotDependOnNumbersOfHosts) {
  const std::array sides{5, 6, 7};
  std::vector<std::int64_t> loads;
  for (int i = 0; i < 210; ++i) loads.push_back(5 + i * 37 % 11);
  const Coordinates mesh = box_points({3, 2, 2});
  std::vector<PePlace> pes = regular_pes(12, 2, 2);
  // Hosts 0 and 1 at one place, as two nodes at one router: only their PEs tell them apart.
  Coordinates shared = mesh, renumbered(12, 3);
  std::ranges::copy(shared.of(0), shared.of(1).begin());
  std::vector<PePlace> other = pes;
  for (PePlace& pe : other) {
    pe.host = 11 - pe.host;
    pe.process = 5 * pe.process % 24;
  }
  for (int host = 0; host < 12; ++host)
    std::ranges::copy(shared.of(host), renumbered.of(11 - host).begin());
  for (const bool planes : {false, true})
    EXPECT_EQ(bisected_patches(sides, loads, pes, shared, {planes, true}),
              bisected_patches(sides, loads, other, renumbered, {planes, true}));
}

TEST(PatchBisection, RefusesAHostWithoutCoordinates) {
  const std::array sides{2, 2, 2};
  EXPECT_THROW(bisected_patches(sides, equal_loads(sides), regular_pes(3), hosts_in_a_row(2)),
               InputError);
  EXPECT_THROW(bisected_patches(sides, equal_loads(sides), {}, hosts_in_a_row(2)), InputError);
}

}  // namespace
}  // namespace fg::topology
