// SPDX-License-Identifier: BSD-3-Clause
//
// A large job placed at once: 16,384 nodes of a torus with holes, and 200,000 objects. Every object
// has a place, every PE is used, and the time is bounded (a hundredth of what a queue takes).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <numeric>
#include <string>
#include <vector>

#include "topology/placement/compute_places.hpp"
#include "topology/placement/patch_places.hpp"
#include "topology/placement/pencils.hpp"
#include "topology/placement/torus_mesh.hpp"
#include "unit/topology/placement/job_places.hpp"
#include "unit/topology/placement/points.hpp"

namespace fg::topology {
namespace {

constexpr int side =
    36;  // 46,656 patches with 3 computes each, and 16,384 pencils: 203,008 objects
constexpr int runs = 3;

/// 24 x 24 x 32 nodes without every ninth one.
TorusMesh holed_torus() {
  const std::vector<int> lengths{24, 24, 32};
  const Coordinates all = box_points(lengths);
  Coordinates nodes(16384, 3);
  for (int i = 0; i < 16384; ++i) std::ranges::copy(all.of(i / 8 * 9 + i % 8), nodes.of(i).begin());
  return mesh_from_torus(nodes, lengths, {true, true, true});
}

TEST(Placement, OfALargeJobIsQuick) {
  const std::clock_t start = std::clock();  // of this process: other programs do not count
  const TorusMesh mesh = holed_torus();
  const std::vector<PePlace> pes = regular_pes(16384);
  std::vector<std::int64_t> loads;
  for (int patch = 0; patch < side * side * side; ++patch)
    loads.push_back(900 + patch * 7919 % 200);
  const PatchPlaces patches = patch_candidates({side, side, side}, loads, pes, mesh.nodes).front();
  const std::vector<int> counts = counts_of_pes(pes.size(), patches.pe_of);
  EXPECT_GE(*std::ranges::min_element(counts), 1);

  const auto pencils = z_pencil_places({128, 128}, {side, side, side}, patches.pe_of, pes,
                                       pencil_pes(pes, 128 * 128));
  EXPECT_EQ(counts_of_pes(pes.size(), pencils), std::vector<int>(pes.size(), 1));

  std::vector<NearbyWork> computes;
  for (std::size_t patch = 0; patch < loads.size(); ++patch)
    for (int run = 0; run < runs; ++run) {
      const std::size_t other = (patch + (run == 0   ? 0
                                          : run == 1 ? side
                                                     : side * side)) %
                                loads.size();
      computes.push_back({{patches.pe_of[patch], patches.pe_of[other]}, 1000});
    }
  const std::vector<int> placed = places_near_patches(computes, pes);
  ASSERT_EQ(placed.size(), computes.size());
  const double passed = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  EXPECT_LT(passed, 60);
  RecordProperty("seconds", std::to_string(passed));
  std::printf("%.2f s, %s\n", passed, std::string(patches.way).c_str());
}

}  // namespace
}  // namespace fg::topology
