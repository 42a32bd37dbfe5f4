// SPDX-License-Identifier: BSD-3-Clause
//
// Routes of small machines of every kind, against a search of their links.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "base/error.hpp"
#include "topology/machines/link_loads.hpp"
#include "topology/machines/make_machine.hpp"

namespace fg::topology {
namespace {

std::size_t as_index(int number) {
  return static_cast<std::size_t>(number);
}

using LinksOf = std::vector<std::vector<Link>>;

/// The links that leave each vertex.
LinksOf links_of(const Machine& machine) {
  LinksOf links(as_index(machine.vertices()));
  for (int number = 0; number < machine.links(); ++number)
    links[as_index(machine.link(number).from)].push_back(machine.link(number));
  return links;
}

/// The distances from one vertex by a search in breadth, with at most one of the links that are
/// `special`.
template <class Special>
std::vector<int> distances(const LinksOf& links, int start, const Special& special) {
  // Vertices before a special link, and the same vertices after one.
  const int vertices = static_cast<int>(links.size());
  std::vector<int> at(as_index(2 * vertices), -1);
  std::vector<int> reached{start};
  at[as_index(start)] = 0;
  for (std::size_t i = 0; i < reached.size(); ++i)
    for (const Link& link : links[as_index(reached[i] % vertices)]) {
      const bool after = reached[i] >= vertices;
      if (after && special(link)) continue;
      const int to = link.to + (after || special(link) ? vertices : 0);
      if (at[as_index(to)] >= 0) continue;
      at[as_index(to)] = at[as_index(reached[i])] + 1;
      reached.push_back(to);
    }
  std::vector<int> least(as_index(vertices));
  for (int vertex = 0; vertex < vertices; ++vertex) {
    const int before = at[as_index(vertex)], after = at[as_index(vertex + vertices)];
    least[as_index(vertex)] = before < 0 || (after >= 0 && after < before) ? after : before;
  }
  return least;
}

/// What flows out of each vertex minus what flows in is 1 where the route begins, -1 where it ends.
void expect_flow(const Machine& machine, int from, int to, const std::vector<LinkShare>& route) {
  std::vector<double> flow(as_index(machine.vertices()));
  double sum = 0;
  for (const LinkShare& one : route) {
    EXPECT_GT(one.share, 0);
    EXPECT_LE(one.share, 1);
    flow[as_index(machine.link(one.link).from)] += one.share;
    flow[as_index(machine.link(one.link).to)] -= one.share;
    sum += one.share;
  }
  EXPECT_NEAR(sum, machine.hops(from, to), 1e-12);
  flow[as_index(machine.vertex(from))] -= 1;
  flow[as_index(machine.vertex(to))] += 1;
  for (const double left : flow) EXPECT_NEAR(left, 0, 1e-12);
}

template <class Special>
void expect_shortest_routes(const Machine& machine, const Special& special) {
  std::vector<LinkShare> route;
  const LinksOf links = links_of(machine);
  for (int from = 0; from < machine.nodes(); ++from) {
    const std::vector<int> far = distances(links, machine.vertex(from), special);
    for (int to = 0; to < machine.nodes(); ++to) {
      ASSERT_EQ(machine.hops(from, to), far[as_index(machine.vertex(to))])
          << machine.name() << ": " << from << " to " << to;
      ASSERT_EQ(machine.hops(to, from), machine.hops(from, to));
      route.clear();
      machine.route(from, to, route);
      expect_flow(machine, from, to, route);
      // Each link of the route is on a shortest way.
      for (const LinkShare& one : route)
        ASSERT_EQ(far[as_index(machine.link(one.link).to)],
                  far[as_index(machine.link(one.link).from)] + 1);
    }
  }
}

void expect_shortest_routes(const Machine& machine) {
  expect_shortest_routes(machine, [](const Link&) { return false; });
}

void expect_triangles(const Machine& machine) {
  for (int a = 0; a < machine.nodes(); ++a)
    for (int b = 0; b < machine.nodes(); ++b)
      for (int c = 0; c < machine.nodes(); ++c)
        ASSERT_LE(machine.hops(a, c), machine.hops(a, b) + machine.hops(b, c));
}

class MachineRoutes : public testing::Test {
 protected:
  int up_to(int most) { return 1 + static_cast<int>(random_() % static_cast<unsigned>(most)); }
  bool once_in(int number) { return random_() % static_cast<unsigned>(number) == 0; }

  /// At most `most` routers.
  TorusDescription some_torus(int most) {
    TorusDescription torus{.nodes_per_router = up_to(2)};
    int routers = 1;
    for (int axes = up_to(6); axes > 0; --axes) {
      torus.lengths.push_back(std::min(up_to(7), most / routers));
      torus.wraps.push_back(!once_in(3));
      routers *= torus.lengths.back();
    }
    return torus;
  }

  std::mt19937 random_{47};
};

TEST_F(MachineRoutes, OfToriAreShortest) {
  for (int i = 0; i < 40; ++i) {
    const auto machine = make_machine({.network = some_torus(60)});
    expect_shortest_routes(*machine);
    if (machine->nodes() <= 40) expect_triangles(*machine);
  }
}

TEST_F(MachineRoutes, OfToriWithHolesAreShortest) {
  int made = 0, with_detour = 0;
  for (int i = 0; i < 150; ++i) {
    TorusDescription torus = some_torus(60);
    const auto complete = make_machine({.network = torus});
    for (int router = 0; router < complete->routers(); ++router)
      if (once_in(6)) {
        const auto place = complete->coordinates().of(router * torus.nodes_per_router);
        torus.holes.push_back({{place.begin(), place.end()}, once_in(2)});
      }
    std::unique_ptr<const Machine> machine;
    try {
      machine = make_machine({.network = torus});
    } catch (const InputError&) {  // not connected, or no nodes left
      continue;
    }
    ++made;
    expect_shortest_routes(*machine);
    if (machine->nodes() <= 40) expect_triangles(*machine);
    for (int a = 0; a < machine->nodes(); ++a) {
      const auto at = machine->coordinates().of(a), first = machine->coordinates().of(0);
      int direct = 0;
      for (std::size_t axis = 0; axis < at.size(); ++axis) {
        const int apart = std::abs(at[axis] - first[axis]);
        direct += torus.wraps[axis] ? std::min(apart, torus.lengths[axis] - apart) : apart;
      }
      with_detour += machine->hops(0, a) > direct ? 1 : 0;
    }
  }
  EXPECT_GT(made, 50);
  EXPECT_GT(with_detour, 50);  // the search has something to find
}

TEST_F(MachineRoutes, OfFatTreesAreShortest) {
  for (int i = 0; i < 40; ++i) {
    FatTreeDescription tree{.down = {up_to(4)}};
    for (int levels = up_to(4); levels > 1; --levels) {
      tree.down.push_back(up_to(3));
      tree.up.push_back(up_to(3));
    }
    int nodes = 1;
    for (const int down : tree.down) nodes *= down;
    std::vector<int> missing;
    for (int node = 1; node < nodes; ++node)
      if (once_in(5)) missing.push_back(node);
    const auto machine = make_machine({.network = tree, .missing_nodes = missing});
    EXPECT_EQ(machine->nodes(), nodes - static_cast<int>(missing.size()));
    expect_shortest_routes(*machine);
  }
}

TEST_F(MachineRoutes, OfDragonfliesAreShortestWithOneGlobalLink) {
  for (int i = 0; i < 40; ++i) {
    const DragonflyDescription dragonfly{.groups = up_to(5),
                                         .routers_per_group = up_to(4),
                                         .nodes_per_router = up_to(2),
                                         .links_per_pair_of_groups = up_to(5)};
    const auto machine = make_machine({.network = dragonfly});
    const auto is_global = [&](const Link& link) {
      return std::max(link.from, link.to) < machine->routers() &&
             link.from / dragonfly.routers_per_group != link.to / dragonfly.routers_per_group;
    };
    expect_shortest_routes(*machine, is_global);
  }
}

TEST_F(MachineRoutes, OfGraphsAreShortest) {
  for (int i = 0; i < 40; ++i) {
    GraphDescription graph{.switches = up_to(12)};
    for (int a = 1; a < graph.switches; ++a) {
      const int neighbour = up_to(a) - 1;  // connected, and some more
      for (int b = 0; b < a; ++b)
        if (b == neighbour || once_in(4))
          graph.cables.push_back({.a = a, .b = b, .number = up_to(3)});
    }
    for (int node = up_to(20); node > 0; --node)
      graph.switch_of_node.push_back(up_to(graph.switches) - 1);
    const auto machine = make_machine({.network = graph});
    expect_shortest_routes(*machine);
    expect_triangles(*machine);
  }
}

TEST_F(MachineRoutes, PutTheirSharesOnLinks) {
  // Loads by the routes of all entries, one after the other.
  for (const MachineDescription& description :
       {MachineDescription{.network =
                               TorusDescription{.lengths = {4, 3, 2}, .nodes_per_router = 2}},
        MachineDescription{.network = TorusDescription{.lengths = {5, 2, 3, 4},
                                                       .wraps = {true, false, true, false}}},
        MachineDescription{
            .network = TorusDescription{.lengths = {4, 5},
                                        .holes = {{.coordinates = {1, 2}, .router_gone = true}}}},
        MachineDescription{.network = FatTreeDescription{.down = {3, 2, 2}, .up = {2, 2}}},
        MachineDescription{.network = DragonflyDescription{
                               .groups = 3, .routers_per_group = 3, .nodes_per_router = 2}}}) {
    const auto machine = make_machine(description);
    constexpr int pairs = 500;
    std::vector<Traffic> traffic;
    traffic.reserve(pairs);
    for (int i = 0; i < pairs; ++i)
      traffic.push_back(
          {up_to(machine->nodes()) - 1, up_to(machine->nodes()) - 1, up_to(1000), up_to(3)});
    std::vector<double> bytes(as_index(machine->links())), messages(bytes.size());
    double hop_bytes = 0;
    for (const Traffic& one : traffic) {
      std::vector<LinkShare> route;
      machine->route(one.from, one.to, route);
      for (const LinkShare& way : route) {
        bytes[as_index(way.link)] += way.share * static_cast<double>(one.bytes);
        messages[as_index(way.link)] += way.share * static_cast<double>(one.messages);
      }
      hop_bytes += static_cast<double>(one.bytes) * machine->hops(one.from, one.to);
    }
    const LinkLoads loads = link_loads(*machine, traffic);
    EXPECT_EQ(loads.hop_bytes, hop_bytes);
    for (std::size_t link = 0; link < bytes.size(); ++link) {
      EXPECT_NEAR(loads.bytes[link], bytes[link], 1e-9);
      EXPECT_NEAR(loads.messages[link], messages[link], 1e-9);
    }
    EXPECT_NEAR(loads.mean_bytes * machine->links(), hop_bytes, 1e-9 * hop_bytes);
  }
}

}  // namespace
}  // namespace fg::topology
