// SPDX-License-Identifier: BSD-3-Clause
//
// Costs of all nodes at once, exchanges that they lead to, and relief of the heaviest links,
// against plain sums over all messages.
#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "topology/ranks/adapted_places.hpp"
#include "topology/ranks/exchange_search.hpp"
#include "topology/ranks/exchange_table.hpp"
#include "topology/ranks/link_relief.hpp"
#include "topology/ranks/node_costs.hpp"
#include "topology/ranks/way_prices.hpp"
#include "unit/topology/ranks/rank_samples.hpp"

namespace fg::topology {
namespace {

double plain_cost(const RankGraph& graph, const Machine& machine, int rank, int node,
                  const std::vector<int>& node_of_rank) {
  double sum = 0;
  for (const auto& partner : graph.partners(rank))
    sum += static_cast<double>(partner.bytes) *
           machine.hops(node, node_of_rank[static_cast<std::size_t>(partner.rank)]);
  return sum;
}

LinkLoads loads_of(const Machine& machine, const std::vector<Traffic>& traffic,
                   const std::vector<int>& node_of_slot, const std::vector<int>& slot_of_rank) {
  std::vector<int> nodes;
  for (const int slot : slot_of_rank) nodes.push_back(node_of_slot[static_cast<std::size_t>(slot)]);
  return link_loads(machine, traffic, nodes);
}

/// All kept, some kept and none kept.
constexpr std::size_t kept[] = {1 << 20, 24 * 8, 0};

/// At first, and again after each of some moves.
TEST(NodeCosts, AreThePlainSumsWhereHopsAreASumOverAxes) {
  std::vector<MachineDescription> machines = machines_with_axes();
  machines.push_back(other_machines().front());  // a graph, where each pair of routers is asked for
  for (const MachineDescription& description : machines)
    for (const std::size_t most_kept : kept) {
      const auto machine = make_machine(description);
      ASSERT_EQ(machine->nodes(), 24);
      const RankGraph graph(24, random_traffic(24, 100, 3));
      std::vector<int> places = random_places(24, 5);  // of ranks: place is node here
      NodeCosts costs(graph, *machine, row(24), most_kept);
      costs.start(places);
      for (int time = 0; time < 3; ++time) {
        for (int rank = 0; rank < 24; ++rank)
          for (int from = 0; from < 24; ++from)
            for (int to = 0; to < 24; ++to)
              ASSERT_EQ(costs.gain(rank, from, to),
                        plain_cost(graph, *machine, rank, from, places) -
                            plain_cost(graph, *machine, rank, to, places));
        places[static_cast<std::size_t>(time)] = 7 * time;
        costs.move(time, 7 * time);
      }
      for (int a = 0; a < 24; ++a)
        for (int b = 0; b < 24; ++b) EXPECT_EQ(costs.hops(a, b), machine->hops(a, b));
    }
}

/// The five cheapest of all places that cost less than its own, against a sorted list of all.
TEST(NodeCosts, FindTheCheapestPlaces) {
  std::vector<MachineDescription> machines = machines_with_axes();
  machines.push_back(other_machines().front());
  int found_five = 0;
  for (const MachineDescription& description : machines)
    for (const std::size_t most_kept : kept) {
      const auto machine = make_machine(description);
      const RankGraph graph(24, random_traffic(24, 100, 3));
      const std::vector<int> places = random_places(24, 5);
      NodeCosts costs(graph, *machine, row(24), most_kept);
      costs.start(places);
      for (int rank = 0; rank < 24; ++rank) {
        const double here =
            plain_cost(graph, *machine, rank, places[static_cast<std::size_t>(rank)], places);
        std::vector<std::pair<double, int>> plain, found;
        for (int node = 0; node < 24; ++node)
          if (const double cost = plain_cost(graph, *machine, rank, node, places); cost < here)
            plain.emplace_back(cost, node);
        std::ranges::sort(plain);
        plain.resize(std::min<std::size_t>(plain.size(), 5));
        for (const PlaceTree::Found& one : costs.cheapest(rank, 5))
          found.emplace_back(one.cost, one.place);
        std::ranges::sort(found);
        EXPECT_EQ(found, plain);
        EXPECT_EQ(costs.cost_of_latest(), here);
        found_five += found.size() == 5 ? 1 : 0;
      }
    }
  EXPECT_GE(found_five, 100);  // of 360: most ranks have better places than a random one
}

/// A way between groups of a dragonfly has 1 to 3 links and counts as 3. A way around one router
/// that is gone has at most two links more than the distance.
TEST(NodeCosts, CountHopsNearTheTrueOnesOnADragonflyAndBesideARouterThatIsGone) {
  const std::vector<MachineDescription> machines = other_machines();
  for (std::size_t i = 1; i < machines.size(); ++i) {
    const auto machine = make_machine(machines[i]);
    ASSERT_EQ(machine->nodes(), 24);
    const bool dragonfly = std::holds_alternative<DragonflyDescription>(machines[i].network);
    const RankGraph graph(24, std::vector<Traffic>{});
    const NodeCosts costs(graph, *machine, row(24));
    for (int a = 0; a < 24; ++a)
      for (int b = 0; b < 24; ++b) {
        const int hops = machine->hops(a, b);
        EXPECT_GE(costs.hops(a, b), dragonfly ? hops : hops - 2);
        EXPECT_LE(costs.hops(a, b), dragonfly ? hops + 2 : hops);
      }
  }
}

/// With one rank and with two ranks a node.
TEST(ExchangeSearch, TakesBytesOffLinksOfEachKindOfMachineAtLeastHalfAsManyAsTheTable) {
  std::vector<MachineDescription> machines = machines_with_axes();
  std::ranges::copy(other_machines(), std::back_inserter(machines));
  for (const MachineDescription& description : machines)
    for (const int each : {1, 2}) {
      const auto machine = make_machine(description);
      const int ranks = 24 * each;
      std::vector<int> nodes;
      for (int node = 0; node < 24; ++node)
        nodes.insert(nodes.end(), static_cast<std::size_t>(each), node);
      const RankGraph graph(ranks, random_traffic(ranks, 2 * ranks, 7));
      std::vector<int> places = random_places(ranks, 1), by_table = places;
      const double before = hop_bytes(graph, *machine, nodes, places);
      const double after = ExchangeSearch(graph, *machine, nodes).improve(places, before, 8);
      ExchangeTable(graph, *machine, nodes).improve(by_table, 16);
      expect_each_slot_once(places);
      EXPECT_EQ(after, hop_bytes(graph, *machine, nodes, places));
      EXPECT_LT(after, 0.9 * before) << machine->routers();
      const double best = before - hop_bytes(graph, *machine, nodes, by_table);
      EXPECT_GT(before - after, 0.5 * best) << machine->routers();
    }
}

TEST(ExchangeSearch, EndsWithWhatItBeganWithIfNothingGains) {
  const auto machine = make_machine(machines_with_axes().front());
  const RankGraph graph(24, std::vector<Traffic>{});
  std::vector<int> places = random_places(24, 1);
  EXPECT_EQ(ExchangeSearch(graph, *machine, row(24)).improve(places, 0, 8), 0);
  EXPECT_EQ(places, random_places(24, 1));
}

/// What all messages pay on their ways.
double plain_price(const Machine& machine, const std::vector<Traffic>& traffic,
                   const std::vector<int>& node_of_rank, const std::vector<double>& price_of_link) {
  double sum = 0;
  std::vector<LinkShare> way;
  for (const Traffic& one : traffic) {
    way.clear();
    machine.route(node_of_rank[static_cast<std::size_t>(one.from)],
                  node_of_rank[static_cast<std::size_t>(one.to)], way);
    for (const LinkShare& link : way)
      sum += link.share * price_of_link[static_cast<std::size_t>(link.link)] *
             static_cast<double>(one.bytes);
  }
  return sum;
}

/// All exchanges that gain, and by how much, as the plain sums before and after say; also after
/// some exchanges were made.
TEST(WayPrices, FindTheExchangesThatGain) {
  std::vector<MachineDescription> machines = machines_with_axes();
  std::ranges::copy(other_machines(), std::back_inserter(machines));
  for (const MachineDescription& description : machines) {
    const auto machine = make_machine(description);
    const std::vector<Traffic> traffic = random_traffic(24, 100, 9);
    std::vector<double> price_of_link;
    for (int link = 0; link < machine->links(); ++link) price_of_link.push_back(1 + link * 7 % 5);
    std::vector<int> places = random_places(24, 2);
    WayPrices prices(traffic, *machine, row(24));
    prices.start(places, price_of_link);
    std::swap(places[3], places[8]);
    prices.exchange(3, 8);
    for (int rank = 0; rank < 24; ++rank) {
      const double before = plain_price(*machine, traffic, places, price_of_link);
      std::vector<double> gains(24);
      for (int other = 0; other < 24; ++other) {
        std::vector<int> after = places;
        std::swap(after[static_cast<std::size_t>(rank)], after[static_cast<std::size_t>(other)]);
        gains[static_cast<std::size_t>(other)] =
            before - plain_price(*machine, traffic, after, price_of_link);
      }
      double last = std::numeric_limits<double>::max();
      for (const WayPrices::Partner& one : prices.partners(rank, 24)) {
        EXPECT_NEAR(one.gain, gains[static_cast<std::size_t>(one.rank)], 1e-5 * before);
        EXPECT_LE(one.gain, last);
        last = one.gain;
        gains[static_cast<std::size_t>(one.rank)] = 0;
      }
      for (const double gain : gains) EXPECT_LE(gain, 1e-5 * before);
      EXPECT_LE(prices.partners(rank, 2).size(), 2u);
    }
  }
}

/// 512 ranks send what the faces of cells in a grid send, on 16 groups with one link between two of
/// them. Their own order puts neighbours into a group. The links between groups get much lighter
/// only by ranks that go to other groups.
TEST(LinkRelief, SpreadsMessagesOverTheGroupsOfADragonfly) {
  const auto machine =
      make_machine({.network = DragonflyDescription{.groups = 16,
                                                    .routers_per_group = 8,
                                                    .nodes_per_router = 4,
                                                    .links_per_pair_of_groups = 1}});
  std::vector<Traffic> traffic;
  const auto rank = [](int x, int y, int z) { return (x % 8 * 8 + y % 8) * 8 + z % 8; };
  for (int x = 0; x < 8; ++x)
    for (int y = 0; y < 8; ++y)
      for (int z = 0; z < 8; ++z)
        for (const int other : {rank(x + 1, y, z), rank(x, y + 1, z), rank(x, y, z + 1)}) {
          traffic.push_back({rank(x, y, z), other, 100, 1});
          traffic.push_back({other, rank(x, y, z), 100, 1});
        }
  const std::vector<int> nodes = row(512);
  std::vector<int> places = row(512);
  const LinkLoads before = loads_of(*machine, traffic, nodes, places);
  EXPECT_TRUE(LinkRelief(traffic, *machine, nodes, true).relieve(places, 0.05));
  const LinkLoads after = loads_of(*machine, traffic, nodes, places);
  EXPECT_LE(after.hop_bytes, 1.05 * before.hop_bytes);
  EXPECT_LE(after.most_bytes, 0.5 * before.most_bytes);
}

/// A box of space for each of 1,024 nodes, with messages to 26 others, as many bytes as a face, an
/// edge or a corner has. Many links are as heavy as the heaviest.
TEST(AdaptedPlaces, RelieveManyLinksThatAreAlikeIfTheyMayAddHops) {
  const auto machine = make_machine({.network = TorusDescription{.lengths = {4, 4, 4, 8, 2}}});
  std::vector<Traffic> traffic;
  const auto rank = [](int x, int y, int z) {
    return ((x + 16) % 16 * 8 + (y + 8) % 8) * 8 + (z + 8) % 8;
  };
  for (int here = 0; here < 1024; ++here)
    for (int dx = -1; dx <= 1; ++dx)
      for (int dy = -1; dy <= 1; ++dy)
        for (int dz = -1; dz <= 1; ++dz) {
          const int away = dx * dx + dy * dy + dz * dz;
          if (away == 0) continue;
          const int to = rank(here / 64 + dx, here / 8 % 8 + dy, here % 8 + dz);
          traffic.push_back({here, to, away == 1 ? 100 : away == 2 ? 30 : 10, 1});
        }
  const std::vector<int> nodes = row(1024);
  const auto loads = [&](double relief) {
    const AdaptedPlaces places = adapted_places(traffic, *machine, nodes, nullptr, relief);
    return loads_of(*machine, traffic, nodes, places.slot_of_rank);
  };
  const LinkLoads least = loads(0), relieved = loads(0.15);
  EXPECT_LT(relieved.most_bytes, 0.97 * least.most_bytes);
  EXPECT_LE(relieved.hop_bytes, 1.15 * least.hop_bytes);
}

TEST(LinkRelief, TakesBytesOffTheHeaviestLinkWithinTheLimitOrChangesNothing) {
  std::array<int, 2> times{};
  std::vector<MachineDescription> machines = machines_with_axes();
  std::ranges::copy(other_machines(), std::back_inserter(machines));
  for (const MachineDescription& description : machines)
    for (const unsigned seed : {1u, 2u, 3u, 4u, 5u, 6u}) {
      const bool few = seed > 3;
      const auto machine = make_machine(description);
      const std::vector<int> nodes = row(24);
      const std::vector<Traffic> traffic = random_traffic(24, 100, few ? seed - 3 : seed);
      std::vector<int> places = random_places(24, seed);
      const std::vector<int> start = places;
      const LinkLoads before = loads_of(*machine, traffic, nodes, places);
      const bool relieved = LinkRelief(traffic, *machine, nodes, few).relieve(places, 0.05);
      expect_each_slot_once(places);
      const LinkLoads after = loads_of(*machine, traffic, nodes, places);
      times[few ? 1 : 0] += relieved ? 1 : 0;
      if (relieved) {
        EXPECT_LT(after.most_bytes, before.most_bytes);
        EXPECT_LE(after.hop_bytes, 1.05 * before.hop_bytes * (1 + 1e-12));
      } else {
        EXPECT_EQ(places, start);
      }
    }
  for (const int some : times)
    EXPECT_GE(some, 10);  // of 21; on switches a link to a node may be the heaviest
}

/// Two pairs of ranks in the middle of a line of six nodes: the middle link carries both. No
/// placement with less bytes times hops exists for pairs that are next to each other.
TEST(LinkRelief, FindsTheExchangeThatIsNeededOnALine) {
  const auto machine = make_machine(
      {.network = TorusDescription{.lengths = {6}, .wraps = std::vector<bool>{false}}});
  const std::vector<int> nodes = row(6);
  const std::vector<Traffic> traffic{{1, 3, 100, 1}, {2, 4, 100, 1}};
  for (const bool few : {false, true}) {
    std::vector<int> places = row(6);
    EXPECT_EQ(loads_of(*machine, traffic, nodes, places).most_bytes, 200);  // from 2 to 3
    EXPECT_TRUE(LinkRelief(traffic, *machine, nodes, few).relieve(places, 0));
    EXPECT_EQ(loads_of(*machine, traffic, nodes, places).most_bytes, 100);
  }
}

TEST(LinkRelief, LeavesALinkToANodeAndANetworkWithoutTrafficAsTheyAre) {
  const auto machine = make_machine({.network = FatTreeDescription{.down = {4, 6}, .up = {4}}});
  for (const std::vector<Traffic>& traffic :
       {std::vector<Traffic>{}, {{0, 5, 1000, 1}, {0, 10, 1000, 1}}})
    for (const bool few : {false, true}) {
      std::vector<int> places = row(24);
      EXPECT_FALSE(LinkRelief(traffic, *machine, row(24), few).relieve(places, 1));
      EXPECT_EQ(places, row(24));
    }
}

/// Two ranks on each of four nodes at one switch. The node of ranks 0 and 1 sends 600 bytes. With 0
/// beside 2 and 1 beside 5 it would send 410 at most, for 20 more bytes times hops.
TEST(LinkRelief, TakesBytesOffALinkToANodeWithSeveralRanks) {
  const auto machine = make_machine({.network = FatTreeDescription{.down = {4}}});
  const std::vector<int> nodes{0, 0, 1, 1, 2, 2, 3, 3};
  const std::vector<Traffic> traffic{{0, 1, 210, 1}, {0, 2, 100, 1}, {0, 3, 100, 1}, {0, 4, 100, 1},
                                     {1, 5, 100, 1}, {1, 6, 100, 1}, {1, 7, 100, 1}};
  for (const bool few : {false, true}) {
    std::vector<int> places = row(8);
    ASSERT_EQ(loads_of(*machine, traffic, nodes, places).most_bytes, 600);
    EXPECT_TRUE(LinkRelief(traffic, *machine, nodes, few).relieve(places, 0.05));
    EXPECT_LE(loads_of(*machine, traffic, nodes, places).most_bytes, 500);
  }
}

/// Pairs of ranks at random places of a switch, with room for two on each node: in the end no
/// message leaves its node.
TEST(ExchangeSearch, BringsPairsToANodeOfTheirOwn) {
  const auto machine = make_machine({.network = FatTreeDescription{.down = {24}}});
  std::vector<int> nodes;
  for (int node = 0; node < 24; ++node) nodes.insert(nodes.end(), 2, node);
  std::vector<Traffic> traffic;
  for (int rank = 0; rank < 48; rank += 2) traffic.push_back({rank, rank + 1, 100, 1});
  const RankGraph graph(48, traffic);
  std::vector<int> places = random_places(48, 1);
  const double before = hop_bytes(graph, *machine, nodes, places);
  ASSERT_GT(before, 0);
  EXPECT_EQ(ExchangeSearch(graph, *machine, nodes).improve(places, before, 8), 0);
  EXPECT_EQ(hop_bytes(graph, *machine, nodes, places), 0);
}

}  // namespace
}  // namespace fg::topology
