// SPDX-License-Identifier: BSD-3-Clause
//
// Ways around routers that are gone: against a search of all links, and how long they take on a
// machine that has lost a ninth of its routers.
#include "topology/machines/torus_detours.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <numeric>
#include <random>

#include "topology/machines/link_loads.hpp"
#include "topology/machines/make_machine.hpp"

namespace fg::topology {
namespace {

using testing::ElementsAre;

std::size_t as_index(int number) {
  return static_cast<std::size_t>(number);
}

/// Routers on a ring, each with a link ahead (port 0) and one back (port 1). Link 2 i is that from
/// router i ahead.
std::vector<TorusDetours::Port> ring(int routers) {
  std::vector<TorusDetours::Port> ports;
  for (int at = 0; at < routers; ++at) {
    ports.push_back({.link = 2 * at, .router = (at + 1) % routers});
    ports.push_back({.link = 2 * at + 1, .router = (at + routers - 1) % routers});
  }
  return ports;
}

std::vector<int> way(const TorusDetours& detours, int from, int to) {
  std::vector<int> links;
  detours.for_each_link(from, to, [&](int link) { links.push_back(link); });
  return links;
}

TEST(TorusDetours, GoTheShorterWayAndTakeTheDirectionByTheReceiverIfBothAreAsLong) {
  const TorusDetours detours(ring(6), 2);
  EXPECT_THAT(way(detours, 5, 1), ElementsAre(10, 0));
  EXPECT_THAT(way(detours, 1, 5), ElementsAre(3, 1));
  EXPECT_THAT(way(detours, 1, 4), ElementsAre(2, 4, 6));
  EXPECT_THAT(way(detours, 4, 1), ElementsAre(9, 7, 5));
  EXPECT_TRUE(way(detours, 3, 3).empty());
}

TEST(TorusDetours, GoAroundALinkThatIsGone) {
  std::vector<TorusDetours::Port> ports = ring(5);
  ports[2] = ports[5] = {};  // between 1 and 2
  EXPECT_THAT(way(TorusDetours(ports, 2), 1, 2), ElementsAre(3, 1, 9, 7));
}

TEST(TorusDetours, AreTheSameIfFewColumnsAreKept) {
  const TorusDetours all(ring(9), 2), none_fits(ring(9), 2, 0), two(ring(9), 2, 18);
  for (int round = 0; round < 2; ++round)
    for (int from = 0; from < 9; ++from)
      for (int to = 0; to < 9; ++to) {
        EXPECT_EQ(way(none_fits, from, to), way(all, from, to));
        EXPECT_EQ(way(two, from, to), way(all, from, to));
      }
}

/// 1,024 nodes, all connected: 12 x 12 x 8 without 128 routers at random.
std::unique_ptr<const Machine> torus_without_a_ninth() {
  std::vector<int> routers(12 * 12 * 8);
  std::iota(routers.begin(), routers.end(), 0);
  std::mt19937 random(4);
  for (std::size_t i = routers.size(); i > 1; --i) std::swap(routers[i - 1], routers[random() % i]);
  TorusDescription torus{.lengths = {12, 12, 8}};
  for (int i = 0; i < 128; ++i) {
    const int gone = routers[as_index(i)];
    torus.holes.push_back(
        {.coordinates = {gone / 96, gone / 8 % 12, gone % 8}, .router_gone = true});
  }
  return make_machine({.network = torus});
}

/// The sum of the distances from a router to all, by a search in breadth.
int sum_of_distances(const Machine& machine, const std::vector<std::vector<int>>& next, int start) {
  std::vector<int> hops(as_index(machine.routers()), -1), reached{start};
  hops[as_index(start)] = 0;
  int sum = 0;
  for (std::size_t i = 0; i < reached.size(); ++i)
    for (const int other : next[as_index(reached[i])])
      if (hops[as_index(other)] < 0) {
        sum += hops[as_index(other)] = hops[as_index(reached[i])] + 1;
        reached.push_back(other);
      }
  return sum;
}

double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// The yardstick is one search of the whole machine from each node, a thousandth of the ways. Three
/// sums over all ways take 18 times as long. With a search for each way they took 240 times.
TEST(TorusDetours, BetweenAllNodesTakeLittleMoreThanASearchFromEach) {
  const auto machine = torus_without_a_ninth();
  const int nodes = machine->nodes();
  ASSERT_EQ(nodes, 1024);
  std::vector<Traffic> traffic;
  for (int from = 0; from < nodes; ++from)
    for (int to = 0; to < nodes; ++to) traffic.push_back({from, to, 1, 1});
  std::vector<int> node_of_rank(as_index(nodes));
  std::iota(node_of_rank.begin(), node_of_rank.end(), 0);
  const std::vector<double> ones(as_index(machine->links()), 1);
  std::vector<std::vector<int>> next(as_index(machine->routers()));
  for (int link = 0; link < machine->links(); ++link)
    next[as_index(machine->link(link).from)].push_back(machine->link(link).to);

  const double start = processor_seconds();
  const LinkLoads loads = link_loads(*machine, traffic);
  const std::vector<double> sums = sums_over_ways(*machine, traffic, node_of_rank, ones);
  double hops = 0;
  for (const Traffic& one : traffic) hops += machine->hops(one.from, one.to);
  const double found = processor_seconds();
  std::vector<int> distances;
  for (int node = 0; node < nodes; ++node)
    distances.push_back(sum_of_distances(*machine, next, machine->router(node)));
  const double searched = processor_seconds();

  for (int node = 0; node < nodes; ++node)
    EXPECT_EQ(sums[as_index(node)], 2 * distances[as_index(node)]);  // there and back
  const double all = std::accumulate(distances.begin(), distances.end(), 0.0);
  EXPECT_EQ(loads.hop_bytes, all);
  EXPECT_EQ(hops, all);
  EXPECT_LT(found - start, 80 * (searched - found));
  std::printf("%.3f s, searches %.3f s\n", found - start, searched - found);
}

}  // namespace
}  // namespace fg::topology
