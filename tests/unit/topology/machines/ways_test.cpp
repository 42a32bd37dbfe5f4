// SPDX-License-Identifier: BSD-3-Clause
//
// One way of several: its links follow each other from node to node, and it is as long as the
// others.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "topology/machines/known/known_machines.hpp"
#include "topology/machines/make_machine.hpp"

namespace fg::topology {
namespace {

void expect_ways(const Machine& machine, int step) {
  std::vector<int> way;
  std::vector<LinkShare> all;
  for (int from = 0; from < machine.nodes(); from += step)
    for (int to = 0; to < machine.nodes(); to += step)
      for (const unsigned choice : {0U, 1U, 7U}) {
        way.clear();
        all.clear();
        machine.way(from, to, choice, way);
        machine.route(from, to, all);
        ASSERT_EQ(static_cast<int>(way.size()), machine.hops(from, to));
        int at = machine.vertex(from);
        for (const int link : way) {
          ASSERT_EQ(machine.link(link).from, at);
          at = machine.link(link).to;
          ASSERT_TRUE(std::ranges::count(all, link, &LinkShare::link));
        }
        ASSERT_EQ(at, machine.vertex(to));
      }
}

TEST(Ways, LeadFromNodeToNodeOnKnownMachines) {
  for (const KnownMachine& known : known_machines()) {
    SCOPED_TRACE(known.name);
    const auto machine = make_machine(known_machine(known.name, 1000));
    expect_ways(*machine, 83);
  }
}

TEST(Ways, GoAroundRoutersThatAreGone) {
  TorusDescription torus{.lengths = {4, 3}};
  torus.holes.push_back({.coordinates = {1, 1}, .router_gone = true});
  expect_ways(*make_machine({.network = torus}), 1);
}

TEST(Ways, LeadThroughAnyGraph) {
  // A square, with two cables on one side.
  const GraphDescription graph{.switches = 4,
                               .cables = {{.a = 0, .b = 1, .number = 2},
                                          {.a = 1, .b = 2},
                                          {.a = 2, .b = 3},
                                          {.a = 3, .b = 0}},
                               .switch_of_node = {0, 1, 2, 3}};
  expect_ways(*make_machine({.network = graph}), 1);
}

/// The tree of three levels has 2 and 3 ways up: 6 ways between nodes of different pods.
TEST(Ways, ConsecutiveChoicesTakeAllWaysOfAFatTree) {
  const FatTreeDescription tree{.down = {2, 2, 2}, .up = {2, 3}};
  const auto machine = make_machine({.network = tree});
  expect_ways(*machine, 1);
  std::set<std::vector<int>> ways;
  for (unsigned choice = 0; choice < 6; ++choice) {
    std::vector<int> way;
    machine->way(0, 7, choice, way);
    ways.insert(way);
  }
  EXPECT_EQ(ways.size(), 6U);
}

}  // namespace
}  // namespace fg::topology
