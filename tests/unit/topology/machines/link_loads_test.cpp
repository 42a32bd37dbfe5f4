// SPDX-License-Identifier: BSD-3-Clause
//
// Loads of links, worked out by hand and as plain sums over the routes of all messages.
#include "topology/machines/link_loads.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

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

/// With even and odd lengths, an open end, two nodes a router, and routers that are gone.
std::vector<MachineDescription> machines_of_each_kind() {
  TorusDescription holed{.lengths = {5, 4, 6}, .wraps = {true, false, true}};
  for (const std::vector<int>& place : {std::vector{2, 1, 3}, {2, 2, 3}, {4, 0, 0}, {0, 3, 5}})
    holed.holes.push_back({.coordinates = place, .router_gone = true});
  GraphDescription line{.switches = 5, .switch_of_node = {0, 1, 2, 3, 4, 4}};
  for (int at = 0; at < 4; ++at) line.cables.push_back({.a = at, .b = at + 1});
  return {{.network = TorusDescription{.lengths = {4, 3, 2}, .nodes_per_router = 2}},
          {.network = TorusDescription{.lengths = {7, 6}, .wraps = {false, true}}},
          {.network = TorusDescription{.lengths = {2, 1, 5, 2}}},
          {.network = holed},
          {.network = line},
          {.network = FatTreeDescription{.down = {4, 6}, .up = {2}}},
          {.network = DragonflyDescription{.groups = 4,
                                           .routers_per_group = 3,
                                           .nodes_per_router = 2,
                                           .links_per_pair_of_groups = 3}}};
}

/// Twenty messages from each rank, among them some to itself; ranks are at random nodes, some at
/// the same.
TEST(LinkLoads, AndSumsOverWaysAreThoseOfAllRoutes) {
  std::mt19937 random(3);
  const auto below = [&](int limit) {
    return static_cast<int>(random() % static_cast<unsigned>(limit));
  };
  for (const MachineDescription& description : machines_of_each_kind()) {
    const auto machine = make_machine(description);
    const int ranks = machine->nodes();
    std::vector<int> node_of_rank;
    for (int rank = 0; rank < ranks; ++rank) node_of_rank.push_back(below(ranks));
    std::vector<double> value_of_link;
    for (int link = 0; link < machine->links(); ++link) value_of_link.push_back(below(3));
    std::vector<Traffic> traffic;
    for (int i = 0; i < 20 * ranks; ++i)
      traffic.push_back({below(ranks), below(ranks), below(1000), below(5)});

    std::vector<double> bytes(value_of_link.size()), messages(bytes.size());
    std::vector<double> sums(node_of_rank.size());
    double hop_bytes = 0;
    std::vector<LinkShare> route;
    for (const Traffic& one : traffic) {
      const auto from = static_cast<std::size_t>(one.from), to = static_cast<std::size_t>(one.to);
      route.clear();
      machine->route(node_of_rank[from], node_of_rank[to], route);
      double value = 0;
      for (const LinkShare& way : route) {
        const auto link = static_cast<std::size_t>(way.link);
        bytes[link] += way.share * static_cast<double>(one.bytes);
        messages[link] += way.share * static_cast<double>(one.messages);
        value += way.share * value_of_link[link];
      }
      sums[from] += value * static_cast<double>(one.bytes);
      sums[to] += value * static_cast<double>(one.bytes);
      hop_bytes +=
          static_cast<double>(one.bytes) * machine->hops(node_of_rank[from], node_of_rank[to]);
    }
    // Shares that are no halves round.
    const auto near = [](const std::vector<double>& values) {
      std::vector<testing::Matcher<double>> all;
      for (const double value : values)
        all.push_back(testing::DoubleNear(value, 1e-12 * (1 + value)));
      return testing::ElementsAreArray(all);
    };
    const LinkLoads loads = link_loads(*machine, traffic, node_of_rank);
    EXPECT_THAT(loads.bytes, near(bytes));
    EXPECT_THAT(loads.messages, near(messages));
    EXPECT_EQ(loads.hop_bytes, hop_bytes);
    EXPECT_THAT(sums_over_ways(*machine, traffic, node_of_rank, value_of_link), near(sums));

    const std::vector<int> among{machine->router(ranks - 1), machine->router(0),
                                 machine->router(ranks / 2)};
    std::vector<float> of_pairs(among.size() * among.size());
    machine->sums_of_ways(among, value_of_link, of_pairs);
    auto found = of_pairs.begin();
    for (const int from : among)
      for (const int to : among) {
        route.clear();
        machine->router_route(from, to, route);
        double value = 0;
        for (const LinkShare& way : route)
          value += way.share * value_of_link[static_cast<std::size_t>(way.link)];
        EXPECT_FLOAT_EQ(*found++, static_cast<float>(value));
      }
  }
}

}  // namespace
}  // namespace fg::topology
