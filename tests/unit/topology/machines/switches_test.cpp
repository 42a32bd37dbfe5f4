// SPDX-License-Identifier: BSD-3-Clause
//
// Fat trees, dragonflies and graphs: distances and shares worked out by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "topology/machines/make_machine.hpp"

namespace fg::topology {
namespace {

using testing::ElementsAre;
using testing::Pair;
using testing::UnorderedElementsAre;

template <class Network>
std::unique_ptr<const Machine> machine_of(const Network& network,
                                          const std::vector<int>& missing = {}) {
  return make_machine({.name = "switches", .network = network, .missing_nodes = missing});
}

/// The links of the route and their shares.
std::map<std::string, double> route(const Machine& machine, int from, int to) {
  std::vector<LinkShare> links;
  machine.route(from, to, links);
  std::map<std::string, double> shares;
  for (const LinkShare& one : links) shares[machine.link_name(one.link)] += one.share;
  return shares;
}

TEST(FatTree, OfTwoLevelsSplitsOverItsSpines) {
  // Three leaf switches with two nodes each, two spines.
  const auto machine = machine_of(FatTreeDescription{.down = {2, 3}, .up = {2}});
  EXPECT_EQ(machine->nodes(), 6);
  EXPECT_EQ(machine->routers(), 5);
  EXPECT_EQ(machine->links(), 2 * 6 + 2 * 3 * 2);
  EXPECT_EQ(machine->hops(0, 0), 0);
  EXPECT_EQ(machine->hops(0, 1), 2);
  EXPECT_EQ(machine->hops(0, 2), 4);
  EXPECT_THAT(route(*machine, 0, 5),
              UnorderedElementsAre(Pair("node 0 to leaf switch 0", 1),
                                   Pair("leaf switch 0 to switch 0 of level 2", 0.5),
                                   Pair("leaf switch 0 to switch 1 of level 2", 0.5),
                                   Pair("switch 0 of level 2 to leaf switch 2", 0.5),
                                   Pair("switch 1 of level 2 to leaf switch 2", 0.5),
                                   Pair("leaf switch 2 to node 5", 1)));
}

TEST(FatTree, OfThreeLevelsHasAllWaysUp) {
  // A binary tree that does not taper: 4, 2 x 2 and 4 switches in its levels.
  const auto machine = machine_of(FatTreeDescription{.down = {2, 2, 2}, .up = {2, 2}});
  EXPECT_EQ(machine->routers(), 12);
  EXPECT_EQ(machine->hops(0, 1), 2);
  EXPECT_EQ(machine->hops(0, 3), 4);
  EXPECT_EQ(machine->hops(0, 4), 6);
  // Four ways from 0 to 7: 1 + 2 + 4 links up, and as many down.
  const auto shares = route(*machine, 0, 7);
  EXPECT_EQ(shares.size(), 14u);
  EXPECT_EQ(shares.at("leaf switch 0 to switch 1 of level 2"), 0.5);
  EXPECT_EQ(shares.at("switch 1 of level 2 to switch 3 of level 3"), 0.25);
  EXPECT_EQ(shares.at("switch 3 of level 3 to switch 3 of level 2"), 0.25);
}

TEST(FatTree, CountsSeveralCablesAsOneFasterLink) {
  const auto machine = machine_of(
      FatTreeDescription{.down = {2, 2}, .up = {1}, .cables = {3}, .speeds = {{.bandwidth = 1e9}}});
  EXPECT_EQ(machine->link(2 * 4).speed.bandwidth, 3e9);
}

TEST(FatTree, KeepsTheNumbersOfMissingNodesAsCoordinates) {
  const auto machine = machine_of(FatTreeDescription{.down = {2, 2}, .up = {1}}, {1});
  EXPECT_EQ(machine->nodes(), 3);
  EXPECT_THAT(machine->coordinates().of(1), ElementsAre(2));
  EXPECT_THAT(machine->dimensions(), ElementsAre(Dimension{4, false}));
  EXPECT_EQ(machine->hops(0, 1), 4);
  EXPECT_EQ(machine->hops(1, 2), 2);
}

TEST(Dragonfly, TakesTheLocalGlobalAndLocalLink) {
  // Three groups of two routers with a node each. Each group deals its two global links to its two
  // routers: 0-1 by their first routers, 0-2 by the second of 0, 1-2 by both second.
  const auto machine =
      machine_of(DragonflyDescription{.groups = 3, .routers_per_group = 2, .nodes_per_router = 1});
  EXPECT_EQ(machine->links(), 2 * 6 + 3 * 2 + 3 * 2);
  EXPECT_EQ(machine->hops(0, 1), 3);
  EXPECT_EQ(machine->hops(0, 2), 3);
  EXPECT_EQ(machine->hops(0, 3), 4);
  EXPECT_EQ(machine->hops(0, 5), 5);
  EXPECT_THAT(route(*machine, 0, 5),
              UnorderedElementsAre(Pair("node 0 to router 0 of group 0", 1),
                                   Pair("router 0 of group 0 to router 1 of group 0", 1),
                                   Pair("router 1 of group 0 to router 0 of group 2", 1),
                                   Pair("router 0 of group 2 to router 1 of group 2", 1),
                                   Pair("router 1 of group 2 to node 5", 1)));
}

TEST(Dragonfly, SplitsOverTheGlobalLinksOfTheShortestWays) {
  // Two groups of three routers. Their two links join first with first and second with second.
  const auto machine = machine_of(DragonflyDescription{
      .groups = 2, .routers_per_group = 3, .nodes_per_router = 1, .links_per_pair_of_groups = 2});
  EXPECT_EQ(machine->hops(0, 3), 3);  // the direct link only
  EXPECT_EQ(route(*machine, 0, 3).size(), 3u);
  EXPECT_EQ(machine->hops(2, 5), 5);
  const auto shares = route(*machine, 2, 5);
  EXPECT_EQ(shares.at("router 0 of group 0 to router 0 of group 1"), 0.5);
  EXPECT_EQ(shares.at("router 2 of group 0 to router 1 of group 0"), 0.5);
}

TEST(Graph, SplitsByTheNumberOfWays) {
  // A square of switches; the side from 0 to 2 has two cables, so that 2 of 3 ways use it.
  const auto machine = machine_of(GraphDescription{.switches = 4,
                                                   .cables = {{.a = 0, .b = 1},
                                                              {.a = 1, .b = 3},
                                                              {.a = 0, .b = 2, .number = 2},
                                                              {.a = 2, .b = 3}},
                                                   .switch_of_node = {0, 3},
                                                   .names = {"a", "b", "c", "d"}});
  EXPECT_EQ(machine->hops(0, 1), 4);
  const auto shares = route(*machine, 0, 1);
  EXPECT_DOUBLE_EQ(shares.at("a to b"), 1.0 / 3);
  EXPECT_DOUBLE_EQ(shares.at("b to d"), 1.0 / 3);
  EXPECT_DOUBLE_EQ(shares.at("a to c"), 2.0 / 3);
  EXPECT_DOUBLE_EQ(shares.at("c to d"), 2.0 / 3);
  EXPECT_EQ(shares.size(), 6u);
}

}  // namespace
}  // namespace fg::topology
