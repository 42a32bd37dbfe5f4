// SPDX-License-Identifier: BSD-3-Clause
//
// Loads of links, worked out by hand.
#include "topology/machines/link_loads.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "topology/machines/make_machine.hpp"

namespace fg::topology {
namespace {

using testing::Each;
using testing::ElementsAre;

TEST(LinkLoads, OfAllToAllOnARingAreEqual) {
  // Four nodes send 10 bytes to each other one: 1 + 2 + 1 hops from each, on eight links.
  const auto ring = make_machine({.network = TorusDescription{.lengths = {4}}});
  std::vector<Traffic> traffic;
  for (int from = 0; from < 4; ++from)
    for (int to = 0; to < 4; ++to) traffic.push_back({from, to, 10, 1});
  const LinkLoads loads = link_loads(*ring, traffic);
  EXPECT_EQ(loads.hop_bytes, 160);
  EXPECT_THAT(loads.bytes, Each(20));
  EXPECT_THAT(loads.messages, Each(2));
  EXPECT_EQ(loads.most_bytes, 20);
  EXPECT_EQ(loads.mean_bytes, 20);
  EXPECT_THAT(loads.bytes_from_node, Each(30));  // nothing to itself
  EXPECT_THAT(loads.bytes_to_node, Each(30));
}

TEST(LinkLoads, OfOneMessageAreOnItsRoute) {
  const auto mesh =
      make_machine({.network = TorusDescription{.lengths = {3, 2}, .wraps = {false, false}}});
  // From (0,0) to (2,1): two links along X, one along Y.
  const LinkLoads loads = link_loads(*mesh, std::vector<Traffic>{{0, 5, 7, 2}, {0, 5, 1, 1}});
  EXPECT_EQ(loads.hop_bytes, 24);
  EXPECT_EQ(loads.most_bytes, 8);
  EXPECT_EQ(loads.most_messages, 3);
  EXPECT_EQ(mesh->link_name(loads.heaviest_link), "X+ of (0,0)");
  EXPECT_EQ(mesh->links(), 14);
  EXPECT_DOUBLE_EQ(loads.mean_bytes, 24.0 / 14);
  EXPECT_DOUBLE_EQ(loads.mean_messages, 9.0 / 14);
  EXPECT_THAT(loads.most_bytes_of_node, ElementsAre(8, 0, 8, 0, 8, 0));
  // The corner has two links, the middle of the side three.
  EXPECT_DOUBLE_EQ(loads.mean_bytes_of_node[0], 4);
  EXPECT_DOUBLE_EQ(loads.mean_bytes_of_node[2], 8.0 / 3);
}

TEST(LinkLoads, CountTheLinksOfNodesOnSwitches) {
  const auto tree = make_machine({.network = FatTreeDescription{.down = {2, 2}, .up = {2}}});
  const LinkLoads loads = link_loads(*tree, std::vector<Traffic>{{0, 1, 8, 1}, {0, 2, 4, 1}});
  EXPECT_EQ(loads.hop_bytes, 2 * 8 + 4 * 4);
  EXPECT_EQ(loads.bytes[static_cast<std::size_t>(Machine::link_from(0))], 12);
  EXPECT_EQ(loads.bytes[static_cast<std::size_t>(Machine::link_to(1))], 8);
  EXPECT_EQ(loads.most_bytes_of_node[0], 12);
  EXPECT_EQ(loads.heaviest_link, Machine::link_from(0));
}

TEST(LinkLoads, OfNodesAtOneRouterAreNone) {
  const auto gemini =
      make_machine({.network = TorusDescription{.lengths = {3}, .nodes_per_router = 2}});
  const LinkLoads loads = link_loads(*gemini, std::vector<Traffic>{{0, 1, 8, 1}});
  EXPECT_EQ(loads.hop_bytes, 0);
  EXPECT_EQ(loads.most_bytes, 0);
  EXPECT_EQ(loads.bytes_from_node[0], 8);
}

TEST(LinkLoads, OfASingleNodeAreNone) {
  const auto one = make_machine({.network = TorusDescription{.lengths = {1}}});
  const LinkLoads loads = link_loads(*one, std::vector<Traffic>{{0, 0, 8, 1}});
  EXPECT_EQ(loads.heaviest_link, -1);
  EXPECT_EQ(loads.mean_bytes, 0);
}

}  // namespace
}  // namespace fg::topology
