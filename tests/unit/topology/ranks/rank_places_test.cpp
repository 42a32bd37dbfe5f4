// SPDX-License-Identifier: BSD-3-Clause
//
// Ranks that form a grid in space have a best place on a torus of the same shape: every message
// takes one link. On small machines all placements are tried.
#include "topology/ranks/rank_places.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "topology/machines/make_machine.hpp"
#include "topology/ranks/adapted_places.hpp"
#include "topology/ranks/exchange_table.hpp"
#include "unit/topology/ranks/rank_samples.hpp"

namespace fg::topology {
namespace {

using Sides = std::array<int, 3>;

std::unique_ptr<const Machine> torus(const std::vector<int>& lengths, bool wraps = true) {
  return make_machine({.network = TorusDescription{
                           .lengths = lengths, .wraps = std::vector<bool>(lengths.size(), wraps)}});
}

/// A periodic grid in which each rank sends 100 bytes to the next one along each axis. Ranks have
/// numbers at random.
struct Grid {
  Grid(Sides sides, unsigned seed) : ranks(sides[0] * sides[1] * sides[2]), positions(ranks, 3) {
    std::vector<int> name = row(ranks);
    std::mt19937 random(seed);
    for (std::size_t i = name.size(); i > 1; --i) std::swap(name[i - 1], name[random() % i]);
    const auto at = [&](int x, int y, int z) {
      return name[static_cast<std::size_t>((x % sides[0] * sides[1] + y % sides[1]) * sides[2] +
                                           z % sides[2])];
    };
    for (int x = 0; x < sides[0]; ++x)
      for (int y = 0; y < sides[1]; ++y)
        for (int z = 0; z < sides[2]; ++z) {
          const int here = at(x, y, z);
          std::ranges::copy(Sides{x, y, z}, positions.of(here).begin());
          for (const int next : {at(x + 1, y, z), at(x, y + 1, z), at(x, y, z + 1)})
            traffic.push_back({here, next, 100, 1});
        }
  }

  int ranks;
  Coordinates positions;
  std::vector<Traffic> traffic;
};

TEST(RankGraph, AddsUpBothDirectionsAndLeavesOutItself) {
  const RankGraph graph(
      3,
      std::vector<Traffic>{{0, 1, 5, 1}, {1, 0, 7, 1}, {0, 1, 1, 1}, {2, 2, 9, 1}, {2, 0, 3, 1}});
  ASSERT_EQ(graph.partners(0).size(), 2u);
  EXPECT_EQ(graph.partners(0)[0].rank, 1);
  EXPECT_EQ(graph.partners(0)[0].bytes, 13);
  EXPECT_EQ(graph.partners(0)[1].bytes, 3);
  EXPECT_EQ(graph.partners(1).size(), 1u);
  EXPECT_EQ(graph.partners(2).size(), 1u);
}

TEST(RankPlaces, AGridInSpaceComesToATorusOfItsShapeOnOneLinkEach) {
  for (const Sides& sides : {Sides{4, 4, 4}, Sides{8, 4, 2}, Sides{2, 4, 16}}) {
    const Grid grid(sides, 3);
    const auto machine = torus({sides[2], sides[0], sides[1]});  // in another order
    const RankGraph graph(grid.ranks, grid.traffic);
    const std::vector<int> nodes = row(grid.ranks);
    const auto places = bisected_ranks(grid.positions, mesh_of_slots(*machine, nodes));
    expect_each_slot_once(places);
    EXPECT_EQ(hop_bytes(graph, *machine, nodes, places), 100.0 * 3 * grid.ranks)
        << sides[0] << sides[1] << sides[2];
  }
}

/// On several networks, with two ranks a node: no exchange of two ranks takes further bytes off the
/// links, as the plain sum over all messages says.
TEST(RankPlaces, AfterTheTableNoExchangeGains) {
  const std::vector<MachineDescription> machines{
      {.network = TorusDescription{.lengths = {3, 5}, .wraps = {true, false}}},
      {.network = FatTreeDescription{.down = {5, 3}, .up = {2}, .cables = {1}}},
      {.network =
           DragonflyDescription{.groups = 3, .routers_per_group = 5, .nodes_per_router = 1}}};
  std::mt19937 random(5);
  for (const MachineDescription& description : machines) {
    const auto machine = make_machine(description);
    ASSERT_EQ(machine->nodes(), 15);
    std::vector<int> nodes;
    for (int node = 0; node < 15; ++node) nodes.insert(nodes.end(), 2, node);
    std::vector<Traffic> traffic;
    for (int i = 0; i < 200; ++i)
      traffic.push_back({static_cast<int>(random() % 30), static_cast<int>(random() % 30),
                         static_cast<std::int64_t>(1 + random() % 1000), 1});
    const RankGraph graph(30, traffic);
    std::vector<int> places = random_places(30, 3);
    const double before = hop_bytes(graph, *machine, nodes, places);
    ExchangeTable(graph, *machine, nodes).improve(places, 1000);
    expect_each_slot_once(places);
    const double after = hop_bytes(graph, *machine, nodes, places);
    EXPECT_LT(after, 0.9 * before);
    for (std::size_t one = 0; one < 30; ++one)
      for (std::size_t other = 0; other < one; ++other) {
        std::swap(places[one], places[other]);
        EXPECT_GE(hop_bytes(graph, *machine, nodes, places), after) << one << " " << other;
        std::swap(places[one], places[other]);
      }
  }
}

/// Eight ranks with random traffic on a ring, a mesh and a cube, against all 40,320 placements.
TEST(RankPlaces, AreNearTheBestOfAll) {
  std::mt19937 random(11);
  for (const auto& machine : {torus({8}), torus({2, 4}, false), torus({2, 2, 2})}) {
    std::vector<Traffic> traffic;
    for (int rank = 0; rank < 8; ++rank)
      for (int i = 0; i < 2; ++i)
        traffic.push_back({rank, static_cast<int>(random() % 8),
                           static_cast<std::int64_t>(1 + random() % 1000), 1});
    const RankGraph graph(8, traffic);
    const std::vector<int> nodes = row(8);
    std::vector<int> all = row(8);
    double best = hop_bytes(graph, *machine, nodes, all);
    while (std::ranges::next_permutation(all).found)
      best = std::min(best, hop_bytes(graph, *machine, nodes, all));
    const AdaptedPlaces found = adapted_places(traffic, *machine, nodes, nullptr, 0.05);
    expect_each_slot_once(found.slot_of_rank);
    EXPECT_EQ(found.hop_bytes, hop_bytes(graph, *machine, nodes, found.slot_of_rank));
    EXPECT_LE(found.hop_bytes, 1.1 * best);
  }
}

TEST(RankPlaces, AGraphInPiecesAndOneWithoutTrafficArePlacedToo) {
  const auto machine = torus({3, 3});
  const std::vector<int> nodes = row(9);
  for (const std::vector<Traffic>& traffic :
       {std::vector<Traffic>{}, {{0, 1, 1, 1}, {5, 6, 1, 1}, {8, 5, 2, 1}}})
    expect_each_slot_once(adapted_places(traffic, *machine, nodes, nullptr, 0.05).slot_of_rank);
}

TEST(RankPlaces, SeveralRanksShareANode) {
  const Grid grid({2, 2, 4}, 2);
  const auto machine = torus({4});
  std::vector<int> nodes;
  for (int node = 0; node < 4; ++node) nodes.insert(nodes.end(), 4, node);
  const AdaptedPlaces found = adapted_places(grid.traffic, *machine, nodes, &grid.positions, 0.05);
  // A plane of four ranks on each node: only the 16 messages along z take a link.
  EXPECT_EQ(found.hop_bytes, 100.0 * 16);
}

TEST(RankPlaces, AtRandomAreTheSameFromTheSameSeed) {
  EXPECT_EQ(random_places(5, 1), random_places(5, 1));
  EXPECT_NE(random_places(50, 1), random_places(50, 2));
  expect_each_slot_once(random_places(1000, 7));
}

}  // namespace
}  // namespace fg::topology
