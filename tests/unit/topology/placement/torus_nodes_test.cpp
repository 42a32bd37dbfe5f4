// SPDX-License-Identifier: BSD-3-Clause
//
// Sums of hops against a search from node to node along links, and the nodes chosen by them.
#include "topology/placement/torus_nodes.hpp"

#include <gtest/gtest.h>

#include <queue>
#include <random>

#include "unit/topology/placement/points.hpp"

namespace fg::topology {
namespace {

/// Links from a node to the others, by a breadth-first search.
std::vector<int> links_from(const Coordinates& nodes, const std::vector<int>& lengths,
                            const std::vector<bool>& wraps, int start) {
  std::vector<int> links(static_cast<std::size_t>(nodes.nodes()), -1);
  links[static_cast<std::size_t>(start)] = 0;
  std::queue<int> reached({start});
  for (; !reached.empty(); reached.pop())
    for (std::size_t d = 0; d < lengths.size(); ++d)
      for (const int step : {-1, 1}) {
        std::vector<int> at(nodes.of(reached.front()).begin(), nodes.of(reached.front()).end());
        at[d] += step;
        if (at[d] < 0 || at[d] >= lengths[d]) {
          if (!wraps[d]) continue;
          at[d] = (at[d] + lengths[d]) % lengths[d];
        }
        int node = 0;
        for (std::size_t e = 0; e < lengths.size(); ++e) node = node * lengths[e] + at[e];
        if (links[static_cast<std::size_t>(node)] >= 0) continue;
        links[static_cast<std::size_t>(node)] =
            links[static_cast<std::size_t>(reached.front())] + 1;
        reached.push(node);
      }
  return links;
}

TEST(TorusNodes, HopsAreTheLeastNumberOfLinks) {
  const std::vector<int> lengths{5, 4, 3, 1, 2};
  const std::vector<bool> wraps{true, false, true, true, true};
  const TorusNodes torus(box_points(lengths), lengths, wraps);
  for (int a = 0; a < torus.size(); a += 7) {
    const auto links = links_from(torus.coordinates(), lengths, wraps, a);
    for (int b = 0; b < torus.size(); ++b)
      ASSERT_EQ(torus.hops(a, b), links[static_cast<std::size_t>(b)]);
  }
}

TEST(TorusNodes, FindTheCentroidOfASet) {
  const std::vector<int> lengths{6, 5, 4};
  const TorusNodes torus(box_points(lengths), lengths, {true, true, false});
  const std::vector<int> all = all_rows(torus.coordinates());
  std::mt19937 random(8);
  for (int round = 0; round < 30; ++round) {
    std::vector<int> set;
    for (int i = 0; i <= round % 7; ++i) set.push_back(static_cast<int>(random() % 120));
    const auto sum_of = [&](int node) {
      std::int64_t sum = 0;
      for (const int member : set) sum += torus.hops(node, member);
      return sum;
    };
    int centroid = 0, member = set[0];
    for (const int node : all)
      if (sum_of(node) < sum_of(centroid)) centroid = node;
    for (const int node : set)
      if (sum_of(node) < sum_of(member)) member = node;
    EXPECT_EQ(torus.nearest(all, set), centroid);
    EXPECT_EQ(torus.nearest(set, set), member);
    const auto order = torus.nearest_first(all, set);
    EXPECT_EQ(order.front(), centroid);
    for (std::size_t i = 1; i < order.size(); ++i)
      ASSERT_LE(sum_of(order[i - 1]), sum_of(order[i]));
  }
}

TEST(Excluding, LeavesNodesOutIfOthersAreEnough) {
  const std::vector<int> candidates{4, 1, 7, 3}, avoid{1, 3, 9};
  EXPECT_EQ(excluding(candidates, avoid, 2), (std::vector{4, 7}));
  EXPECT_EQ(excluding(candidates, avoid, 3), candidates);
}

}  // namespace
}  // namespace fg::topology
