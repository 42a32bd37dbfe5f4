// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/trees/reduction_tree.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

namespace fg {
namespace {

/// The members whose vectors a node combines, in the order in which it does.
std::vector<int> members_below(const ReductionTree& tree, int node) {
  std::vector<std::vector<int>> inputs(
      static_cast<std::size_t>(tree.nodes[static_cast<std::size_t>(node)].inputs));
  for (std::size_t member = 0; member < tree.leaves.size(); ++member)
    if (tree.leaves[member].node == node)
      inputs[static_cast<std::size_t>(tree.leaves[member].place)] = {static_cast<int>(member)};
  for (std::size_t below = 0; below < tree.nodes.size(); ++below)
    if (tree.nodes[below].parent == node)
      inputs[static_cast<std::size_t>(tree.nodes[below].place)] =
          members_below(tree, static_cast<int>(below));
  std::vector<int> all;
  for (const std::vector<int>& input : inputs) {
    EXPECT_FALSE(input.empty()) << "nothing is sent to a place of node " << node;
    all.insert(all.end(), input.begin(), input.end());
  }
  return all;
}

void expect_whole(const ReductionTree& tree) {
  std::set<std::pair<int, int>> taken;
  const auto take = [&](int node, int place) {
    const ReductionTree::Node& above = tree.nodes[static_cast<std::size_t>(node)];
    EXPECT_LT(place, above.inputs);
    EXPECT_LE(above.inputs, ReductionTree::fan_in);
    EXPECT_TRUE(taken.emplace(node, place).second) << "two vectors go to one place";
  };
  for (const ReductionTree::Leaf& leaf : tree.leaves) take(leaf.node, leaf.place);
  for (std::size_t node = 0; node + 1 < tree.nodes.size(); ++node) {
    ASSERT_GT(tree.nodes[node].parent, static_cast<int>(node));
    take(tree.nodes[node].parent, tree.nodes[node].place);
  }
  EXPECT_EQ(tree.nodes.back().parent, -1);
}

/// How many vectors go from one process to another.
int travelling(const ReductionTree& tree, const std::vector<int>& process_of_member) {
  int count = 0;
  for (std::size_t member = 0; member < tree.leaves.size(); ++member)
    count += tree.nodes[static_cast<std::size_t>(tree.leaves[member].node)].process !=
             process_of_member[member];
  for (const ReductionTree::Node& node : tree.nodes)
    if (node.parent >= 0)
      count += tree.nodes[static_cast<std::size_t>(node.parent)].process != node.process;
  return count;
}

std::vector<int> scattered(int members, int processes) {
  std::vector<int> process_of_member;
  for (int member = 0; member < members; ++member)
    process_of_member.push_back(member * 7919 % 104729 % processes);
  return process_of_member;
}

/// Those of them that go to another host.
int leaving_hosts(const ReductionTree& tree, const std::vector<int>& process_of_member,
                  const std::vector<int>& hosts) {
  const auto host = [&](int process) { return hosts[static_cast<std::size_t>(process)]; };
  int count = 0;
  for (std::size_t member = 0; member < tree.leaves.size(); ++member)
    count += host(tree.nodes[static_cast<std::size_t>(tree.leaves[member].node)].process) !=
             host(process_of_member[member]);
  for (const ReductionTree::Node& node : tree.nodes)
    if (node.parent >= 0)
      count +=
          host(tree.nodes[static_cast<std::size_t>(node.parent)].process) != host(node.process);
  return count;
}

constexpr int sizes[] = {1, 2, 7, 8, 9, 63, 64, 65, 200, 513};
constexpr int most_processes = 40;

/// Host by process: all on one, each on its own, four in a row on one, dealt out to five in turn.
std::vector<std::vector<int>> ways_to_share_hosts() {
  std::vector<std::vector<int>> ways(4);
  for (int process = 0; process < most_processes; ++process) {
    ways[0].push_back(0);
    ways[1].push_back(process);
    ways[2].push_back(process / 4);
    ways[3].push_back(process % 5);
  }
  return ways;
}

TEST(ReductionTreeTest, KeepsTheOrderOfMembersInAnyDivision) {
  for (const int members : sizes) {
    std::vector<int> in_order(static_cast<std::size_t>(members));
    std::iota(in_order.begin(), in_order.end(), 0);
    const ReductionTree alone =
        ReductionTree::in_order(std::vector<int>(in_order.size(), 0), std::vector{0});
    expect_whole(alone);
    for (const int processes : {2, 5, most_processes})
      for (const auto& hosts : ways_to_share_hosts()) {
        const ReductionTree tree = ReductionTree::in_order(scattered(members, processes), hosts);
        expect_whole(tree);
        EXPECT_EQ(members_below(tree, static_cast<int>(tree.nodes.size()) - 1), in_order);
        ASSERT_EQ(tree.nodes.size(), alone.nodes.size());
        for (std::size_t node = 0; node < tree.nodes.size(); ++node) {
          EXPECT_EQ(tree.nodes[node].parent, alone.nodes[node].parent);
          EXPECT_EQ(tree.nodes[node].inputs, alone.nodes[node].inputs);
        }
      }
  }
}

TEST(ReductionTreeTest, OneVectorLeavesAProcessAndAHostIfArithmeticIsExact) {
  for (const int members : sizes)
    for (const int processes : {1, 2, 5, most_processes})
      for (const auto& hosts : ways_to_share_hosts()) {
        const std::vector<int> process_of_member = scattered(members, processes);
        const ReductionTree tree = ReductionTree::local_first(process_of_member, hosts);
        expect_whole(tree);
        EXPECT_EQ(members_below(tree, static_cast<int>(tree.nodes.size()) - 1).size(),
                  static_cast<std::size_t>(members));
        const std::set<int> used(process_of_member.begin(), process_of_member.end());
        std::set<int> used_hosts;
        for (const int process : used) used_hosts.insert(hosts[static_cast<std::size_t>(process)]);
        EXPECT_EQ(travelling(tree, process_of_member), static_cast<int>(used.size()) - 1);
        EXPECT_EQ(leaving_hosts(tree, process_of_member, hosts),
                  static_cast<int>(used_hosts.size()) - 1);
      }
}

TEST(ReductionTreeTest, CombinesWhereMostInputsAre) {
  // Processes 0 and 1 are on one host, 2 is on another; then 2 and 3 share the second host.
  const auto place = [](const std::vector<int>& process_of_member, const std::vector<int>& hosts) {
    return ReductionTree::in_order(process_of_member, hosts).nodes.front().process;
  };
  EXPECT_EQ(place({2, 0, 1}, {0, 0, 1}), 0);
  EXPECT_EQ(place({2, 1, 0, 1}, {0, 0, 1}), 1);
  EXPECT_EQ(place({2, 2, 0, 1}, {0, 0, 1}), 2);
  EXPECT_EQ(place({0, 0, 2, 3, 3}, {0, 0, 1, 1}), 3);
}

}  // namespace
}  // namespace fg
