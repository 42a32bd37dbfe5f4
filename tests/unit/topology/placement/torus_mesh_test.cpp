// SPDX-License-Identifier: BSD-3-Clause
//
// Meshes cut out of a torus: the cases of the paper, and distances that never become shorter than
// on the torus.
#include "topology/placement/torus_mesh.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "base/error.hpp"
#include "unit/topology/placement/points.hpp"

namespace fg::topology {
namespace {

Coordinates on_a_ring(const std::vector<int>& positions) {
  Coordinates nodes(static_cast<int>(positions.size()), 1);
  for (std::size_t i = 0; i < positions.size(); ++i)
    nodes.of(static_cast<int>(i))[0] = positions[i];
  return nodes;
}

TorusMesh ring(const std::vector<int>& positions, int length, bool wraps = true) {
  return mesh_from_torus(on_a_ring(positions), std::array{length}, {wraps});
}

// Both cases are in section III of Phillips et al., SC14, 81 (2014).
TEST(TorusMesh, IsCutAtTheLargestGap) {
  const TorusMesh first = ring({3, 5, 6, 9}, 12);
  EXPECT_EQ(first.nodes, on_a_ring({0, 2, 3, 6}));
  EXPECT_EQ(first.spans, (std::vector{7}));
  EXPECT_EQ(first.shifts, (std::vector{3}));
  const TorusMesh second = ring({2, 3, 10}, 12);
  EXPECT_EQ(second.nodes, on_a_ring({4, 5, 0}));
  EXPECT_EQ(second.shifts, (std::vector{10}));
  EXPECT_EQ(second.spans, (std::vector{6}));
}

TEST(TorusMesh, OfAFullRingIsNotShifted) {
  EXPECT_EQ(ring({0, 1, 2, 3}, 4).nodes, on_a_ring({0, 1, 2, 3}));
}

TEST(TorusMesh, IsNotCutWhereNothingWraps) {
  EXPECT_EQ(ring({2, 3, 10}, 12, false).nodes, on_a_ring({0, 1, 8}));
}

TEST(TorusMesh, HasItsLongestDimensionFirst) {
  // Spans 2 (positions 3 and 0 across the wrap), 5 and 3.
  Coordinates nodes = box_points({2, 5, 3});
  for (int i = 0; i < nodes.nodes(); ++i) nodes.of(i)[0] *= 3;
  const TorusMesh mesh = mesh_from_torus(nodes, std::array{4, 9, 3}, {true, true, true});
  EXPECT_EQ(mesh.dimensions, (std::vector{1, 2, 0}));
  EXPECT_EQ(mesh.spans, (std::vector{5, 3, 2}));
  for (int i = 0; i < nodes.nodes(); ++i) {
    EXPECT_EQ(mesh.nodes.at(i, 0), nodes.at(i, 1));
    EXPECT_EQ(mesh.nodes.at(i, 1), nodes.at(i, 2));
    EXPECT_EQ(mesh.nodes.at(i, 2), nodes.at(i, 0) == 3 ? 0 : 1);
  }
}

TEST(TorusMesh, KeepsHopsOfTheTorusOrMakesThemMore) {
  std::mt19937 random(5);
  for (int round = 0; round < 40; ++round) {
    const auto dimensions = static_cast<int>(1 + random() % 6);
    std::vector<int> lengths;
    for (int d = 0; d < dimensions; ++d) lengths.push_back(static_cast<int>(1 + random() % 9));
    Coordinates nodes(20, dimensions);
    for (int i = 0; i < 20; ++i)
      for (int d = 0; d < dimensions; ++d)
        nodes.of(i)[static_cast<std::size_t>(d)] = static_cast<int>(
            random() % static_cast<unsigned>(lengths[static_cast<std::size_t>(d)]));
    const std::vector<bool> wraps(lengths.size(), true);
    const TorusMesh mesh = mesh_from_torus(nodes, lengths, wraps);
    EXPECT_TRUE(std::ranges::is_sorted(mesh.spans, std::greater()));
    for (int a = 0; a < 20; ++a)
      for (int b = 0; b < a; ++b) {
        int torus = 0;
        for (int d = 0; d < dimensions; ++d) {
          const int apart = std::abs(nodes.at(a, d) - nodes.at(b, d));
          torus += std::min(apart, lengths[static_cast<std::size_t>(d)] - apart);
        }
        EXPECT_GE(hops(mesh.nodes, a, b), torus);
      }
    for (int d = 0; d < dimensions; ++d) {
      int low = mesh.nodes.at(0, d), high = low;
      for (int i = 0; i < 20; ++i) {
        low = std::min(low, mesh.nodes.at(i, d));
        high = std::max(high, mesh.nodes.at(i, d));
      }
      EXPECT_EQ(low, 0);
      EXPECT_EQ(high + 1, mesh.spans[static_cast<std::size_t>(d)]);
    }
  }
}

TEST(TorusMesh, RefusesNodesOutside) {
  EXPECT_THROW(ring({0, 12}, 12), InputError);
  EXPECT_THROW(ring({-1}, 12), InputError);
}

}  // namespace
}  // namespace fg::topology
