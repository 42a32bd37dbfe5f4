// SPDX-License-Identifier: BSD-3-Clause
//
// Compact partitions: the case of the paper, and what holds for any torus, holes and numbers.
#include "topology/placement/partitions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "base/error.hpp"
#include "topology/placement/snake_order.hpp"
#include "topology/placement/torus_mesh.hpp"
#include "unit/topology/placement/points.hpp"

namespace fg::topology {
namespace {

std::vector<std::vector<int>> members(const std::vector<int>& partition_of, int partitions) {
  std::vector<std::vector<int>> ranks(static_cast<std::size_t>(partitions));
  for (std::size_t i = 0; i < partition_of.size(); ++i)
    ranks.at(static_cast<std::size_t>(partition_of[i])).push_back(static_cast<int>(i));
  return ranks;
}

// Section VII C of Phillips et al., SC14, 81 (2014): Blue Gene/Q, 4096 nodes.
TEST(Partitions, OfAFiveDimensionalTorusAreHypercubes) {
  const std::vector<int> lengths{8, 4, 4, 16, 2};
  const Coordinates nodes = box_points(lengths);
  const TorusMesh mesh = mesh_from_torus(nodes, lengths, std::vector<bool>(5, true));
  Coordinates in_order(4096, 1);
  for (int rank = 0; rank < 4096; ++rank) in_order.of(rank)[0] = rank;
  for (const auto& ranks : members(compact_partitions(mesh.nodes, 128), 128))
    EXPECT_EQ(spans_of(nodes, ranks), (std::vector{2, 2, 2, 2, 2}));
  for (const auto& ranks : members(compact_partitions(in_order, 128), 128))
    EXPECT_EQ(spans_of(nodes, ranks), (std::vector{1, 1, 1, 16, 2}));
}

TEST(Partitions, OfARowAreTheNaiveOnes) {
  for (const int ranks : {1, 7, 12, 100})
    for (int partitions = 1; partitions <= ranks; ++partitions) {
      Coordinates row(ranks, 1);
      for (int rank = 0; rank < ranks; ++rank) row.of(rank)[0] = rank;
      const auto found = compact_partitions(row, partitions);
      EXPECT_TRUE(std::ranges::is_sorted(found));
      for (const auto& some : members(found, partitions)) {
        EXPECT_GE(static_cast<int>(some.size()), ranks / partitions);
        EXPECT_LE(static_cast<int>(some.size()), (ranks + partitions - 1) / partitions);
      }
    }
}

TEST(Partitions, AreInProportionForOddNumbers) {
  // Three of 6 x 1: the lower one has a third of the ranks.
  EXPECT_EQ(compact_partitions(box_points({6, 1}), 3), (std::vector{0, 0, 1, 1, 2, 2}));
}

TEST(Partitions, HaveEqualSizesOnAnyTorusWithHoles) {
  std::mt19937 random(11);
  for (const int nodes : {1, 10, 333, 10000}) {
    for (int dimensions = 1; dimensions <= 6; ++dimensions) {
      std::vector<int> lengths(static_cast<std::size_t>(dimensions), 5);
      lengths[0] = 20000;  // as many places as nodes, at least
      Coordinates rows(nodes, dimensions);
      for (int i = 0; i < nodes; ++i)
        for (int d = 0; d < dimensions; ++d)
          rows.of(i)[static_cast<std::size_t>(d)] = static_cast<int>(
              random() %
              static_cast<unsigned>(d == 0 ? nodes : lengths[static_cast<std::size_t>(d)]));
      const TorusMesh mesh =
          mesh_from_torus(rows, lengths, std::vector<bool>(lengths.size(), true));
      const int partitions = 1 + nodes / 3;
      const auto found = members(compact_partitions(mesh.nodes, partitions), partitions);
      for (const auto& ranks : found) {
        ASSERT_GE(static_cast<int>(ranks.size()), nodes / partitions);
        ASSERT_LE(static_cast<int>(ranks.size()), (nodes + partitions - 1) / partitions);
      }
    }
  }
}

TEST(Partitions, AreInHilbertOrderInside) {
  const Coordinates mesh = box_points({4, 4, 8});
  const auto partition_of = compact_partitions(mesh, 2);
  const auto ranks = ranks_of_partitions(mesh, partition_of, 2);
  for (const auto& some : ranks) {
    ASSERT_EQ(some.size(), 64u);
    for (std::size_t i = 1; i < some.size(); ++i) EXPECT_EQ(hops(mesh, some[i - 1], some[i]), 1);
  }
}

TEST(Partitions, NeedARankEach) {
  EXPECT_THROW(compact_partitions(box_points({2, 2}), 5), InputError);
}

}  // namespace
}  // namespace fg::topology
