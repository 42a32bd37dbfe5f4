// SPDX-License-Identifier: BSD-3-Clause
//
// Tori and meshes: distances and routes worked out by hand.
#include "topology/machines/torus.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "topology/machines/make_machine.hpp"

namespace fg::topology {
namespace {

using testing::ElementsAre;

std::unique_ptr<const Machine> torus(const TorusDescription& description) {
  return make_machine({.name = "torus", .network = description});
}

/// "X+ of (0,0): 1" for each link of the route.
std::vector<std::string> route(const Machine& machine, int from, int to) {
  std::vector<LinkShare> links;
  machine.route(from, to, links);
  std::vector<std::string> text;
  text.reserve(links.size());
  for (const LinkShare& one : links)
    text.push_back(machine.link_name(one.link) + (one.share == 1 ? "" : " half"));
  for (const LinkShare& one : links) EXPECT_TRUE(one.share == 1 || one.share == 0.5);
  return text;
}

TEST(Torus, HasTheDiameterAndTheLinksOfItsLengths) {
  // The job of 4,096 nodes in section VII-C of Phillips et al.: 4 + 2 + 2 + 8 + 1 hops at most, ten
  // links a node.
  const auto machine = torus({.lengths = {8, 4, 4, 16, 2}});
  EXPECT_EQ(machine->nodes(), 4096);
  EXPECT_EQ(machine->links(), 40960);
  int farthest = 0;
  for (int node = 0; node < machine->nodes(); ++node)
    farthest = std::max(farthest, machine->hops(0, node));
  EXPECT_EQ(farthest, 17);
}

TEST(Torus, HasTheMeanDistanceOfItsLengths) {
  // 1,024 nodes of a Blue Gene/Q: L / 4 on average along each even length, here 1 + 1 + 1 + 2 +
  // 1/2.
  const auto machine = torus({.lengths = {4, 4, 4, 8, 2}});
  int sum = 0;
  for (int node = 0; node < machine->nodes(); ++node) sum += machine->hops(77, node);
  EXPECT_EQ(sum, 1024 * 11 / 2);
}

TEST(Torus, NumbersNodesWithTheLastCoordinateFastestOrTheFirst) {
  const auto last = torus({.lengths = {2, 3}});
  EXPECT_THAT(last->coordinates().of(4), ElementsAre(1, 1));
  const auto first = torus({.lengths = {2, 3}, .order = NodeOrder::first_coordinate_fastest});
  EXPECT_THAT(first->coordinates().of(4), ElementsAre(0, 2));
  EXPECT_EQ(first->router_name(first->router(4)), "(0,2)");
}

TEST(Torus, RoutesDimensionByDimensionTheShorterWayAround) {
  const auto machine = torus({.lengths = {5, 5}});
  // From (0,0) to (1,3): one step ahead along X, two back along Y.
  EXPECT_THAT(route(*machine, 0, 8), ElementsAre("X+ of (0,0)", "Y- of (1,0)", "Y- of (1,4)"));
  EXPECT_EQ(machine->hops(0, 8), 3);
}

TEST(Torus, SplitsAMessageBetweenTwoWaysOfOneLength) {
  const auto ring = torus({.lengths = {4}});
  EXPECT_THAT(route(*ring, 0, 2),
              ElementsAre("X+ of (0) half", "X+ of (1) half", "X- of (0) half", "X- of (3) half"));
  EXPECT_EQ(ring->hops(0, 2), 2);
  // Two nodes that are connected by two cables.
  const auto pair = torus({.lengths = {2}});
  EXPECT_THAT(route(*pair, 1, 0), ElementsAre("X+ of (1) half", "X- of (1) half"));
  EXPECT_EQ(pair->links(), 4);
}

TEST(Torus, IsAMeshWhereItDoesNotWrap) {
  const auto machine = torus({.lengths = {4, 2}, .wraps = {false, false}});
  EXPECT_EQ(machine->links(), 2 * (3 * 2 + 4 * 1));
  // (0,0) to (3,1), and back by the other links: X before Y.
  EXPECT_THAT(route(*machine, 0, 7),
              ElementsAre("X+ of (0,0)", "X+ of (1,0)", "X+ of (2,0)", "Y+ of (3,0)"));
  EXPECT_THAT(route(*machine, 7, 0),
              ElementsAre("X- of (3,1)", "X- of (2,1)", "X- of (1,1)", "Y- of (0,1)"));
  // Half the length is no tie without a way around.
  EXPECT_THAT(route(*machine, 4, 0), ElementsAre("X- of (2,0)", "X- of (1,0)"));
}

TEST(Torus, RoutesThroughRoutersWhoseNodesAreMissing) {
  const auto machine =
      torus({.lengths = {3, 3}, .wraps = {false, false}, .holes = {{.coordinates = {1, 1}}}});
  EXPECT_EQ(machine->nodes(), 8);
  // Nodes 3 and 4 are (1,0) and (1,2).
  EXPECT_THAT(route(*machine, 3, 4), ElementsAre("Y+ of (1,0)", "Y+ of (1,1)"));
}

TEST(Torus, RoutesAroundRoutersThatAreGone) {
  const auto machine = torus({.lengths = {3, 3},
                              .wraps = {false, false},
                              .holes = {{.coordinates = {1, 1}, .router_gone = true}}});
  EXPECT_EQ(machine->links(), 16);  // a ring of eight
  EXPECT_EQ(machine->hops(3, 4), 4);
  EXPECT_EQ(machine->hops(4, 3), 4);
  EXPECT_EQ(route(*machine, 3, 4).size(), 4u);
  // No router is in the way of (0,0) to (2,2), which goes along X first.
  EXPECT_THAT(route(*machine, 0, 7),
              ElementsAre("X+ of (0,0)", "X+ of (1,0)", "Y+ of (2,0)", "Y+ of (2,1)"));
}

TEST(Torus, HasSeveralNodesAtARouter) {
  const auto machine = make_machine({.name = "gemini",
                                     .network = TorusDescription{.lengths = {4, 1, 3},
                                                                 .nodes_per_router = 2,
                                                                 .holes = {{{2, 0, 1}, false}}},
                                     .missing_nodes = {1}});
  EXPECT_EQ(machine->nodes(), 4 * 3 * 2 - 2 - 1);
  // Node 1 is missing, so that 1 and 2 are both at (0,0,1).
  EXPECT_EQ(machine->hops(1, 2), 0);
  EXPECT_TRUE(route(*machine, 1, 2).empty());
  EXPECT_EQ(machine->hops(0, 1), 1);
}

TEST(Torus, TakesTheNodesOfAJobInItsOrder) {
  const auto machine = torus({.lengths = {3, 3}, .job = {{2, 2}, {0, 1}, {1, 1}}});
  EXPECT_EQ(machine->nodes(), 3);
  EXPECT_THAT(machine->coordinates().of(0), ElementsAre(2, 2));
  EXPECT_THAT(machine->coordinates().of(2), ElementsAre(1, 1));
  EXPECT_EQ(machine->hops(0, 1), 2);  // both around
}

TEST(Torus, KnowsTheSpeedOfEachDimension) {
  const auto machine =
      torus({.lengths = {3, 3}, .speeds = {{.bandwidth = 2e9}, {.bandwidth = 1e9}}, .axes = "AB"});
  EXPECT_EQ(machine->link_name(0), "A+ of (0,0)");
  EXPECT_EQ(machine->link(0).speed.bandwidth, 2e9);
  EXPECT_EQ(machine->link_name(2), "B+ of (0,0)");
  EXPECT_EQ(machine->link(2).speed.bandwidth, 1e9);
}

}  // namespace
}  // namespace fg::topology
