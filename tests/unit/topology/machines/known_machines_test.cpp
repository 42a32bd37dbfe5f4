// SPDX-License-Identifier: BSD-3-Clause
//
// Known machines: numbers of nodes, shapes and distances that are published or follow from them.
#include "topology/machines/known/known_machines.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.hpp"
#include "support/expect_refused.hpp"
#include "topology/machines/make_machine.hpp"

namespace fg::topology {
namespace {

using testing::ElementsAre;

std::vector<int> lengths(const std::string& name, int nodes) {
  return std::get<TorusDescription>(known_machine(name, nodes).network).lengths;
}

std::unique_ptr<const Machine> made(const std::string& name, int nodes) {
  return make_machine(known_machine(name, nodes));
}

int farthest(const Machine& machine) {
  int most = 0;
  for (int node = 0; node < machine.nodes(); ++node) most = std::max(most, machine.hops(0, node));
  return most;
}

TEST(KnownMachines, HaveTheNodesThatAreAskedFor) {
  for (const KnownMachine& known : known_machines())
    for (const int nodes : {1, 2, 63, 64, 576, 1024, 5000, 16384})
      EXPECT_EQ(made(known.name, nodes)->nodes(), nodes) << known.name;
}

TEST(KnownMachines, HaveAllTheirNodes) {
  for (const char* name : {"titan", "blue-waters", "fat-tree", "blue-gene-l"})
    for (const KnownMachine& known : known_machines()) {
      if (known.name != name) continue;
      EXPECT_EQ(made(name, known.most_nodes)->nodes(), known.most_nodes);
    }
  // The others only as descriptions: no node is left out.
  for (const KnownMachine& known : known_machines())
    EXPECT_TRUE(known_machine(known.name, known.most_nodes).missing_nodes.empty()) << known.name;
}

TEST(KnownMachines, RefuseOtherNamesAndNumbers) {
  test::expect_refused<InputError>([] { known_machine("cm-5", 64); },
                                   "blue-gene-l, blue-gene-q, titan, blue-waters");
  test::expect_refused<InputError>([] { known_machine("titan", 0); }, "limit 1 to 18688");
  test::expect_refused<InputError>([] { known_machine("titan", 18689); }, "limit 1 to 18688");
}

TEST(BlueGene, HasBlocksOfMidplanes) {
  EXPECT_THAT(lengths("blue-gene-q", 512), ElementsAre(4, 4, 4, 4, 2));
  EXPECT_THAT(lengths("blue-gene-q", 1024), ElementsAre(4, 4, 4, 8, 2));
  EXPECT_THAT(lengths("blue-gene-q", 4096), ElementsAre(8, 4, 4, 16, 2));
  EXPECT_THAT(lengths("blue-gene-q", 49152), ElementsAre(8, 12, 16, 16, 2));
  EXPECT_THAT(lengths("blue-gene-l", 512), ElementsAre(8, 8, 8));
  EXPECT_THAT(lengths("blue-gene-l", 513), ElementsAre(8, 8, 16));
  EXPECT_EQ(farthest(*made("blue-gene-q", 1024)), 2 + 2 + 2 + 4 + 1);
  EXPECT_EQ(made("blue-gene-q", 1024)->links(), 10240);
}

TEST(BlueGene, IsAMeshWithinAMidplane) {
  EXPECT_EQ(farthest(*made("blue-gene-l", 32)), 3 + 3 + 1);
  EXPECT_EQ(farthest(*made("blue-gene-l", 128)), 7 + 3 + 3);
  EXPECT_EQ(farthest(*made("blue-gene-l", 512)), 12);
  EXPECT_THAT(made("blue-gene-l", 512)->coordinates().of(1), ElementsAre(1, 0, 0));
}

TEST(Gemini, HasTwoNodesARouterAndHoles) {
  const auto machine = made("titan", 18688);
  EXPECT_EQ(machine->routers(), 25 * 16 * 24);
  EXPECT_EQ(machine->links(), 6 * machine->routers());
  EXPECT_EQ(machine->hops(0, 1), 0);
  EXPECT_EQ(machine->link(0).speed.bandwidth, 2 * machine->link(2).speed.bandwidth);
  std::vector<int> nodes_of(static_cast<std::size_t>(machine->routers()));
  for (int node = 0; node < machine->nodes(); ++node)
    ++nodes_of[static_cast<std::size_t>(machine->router(node))];
  EXPECT_EQ(std::count(nodes_of.begin(), nodes_of.end(), 2), 18688 / 2);
  EXPECT_EQ(std::count(nodes_of.begin(), nodes_of.end(), 0), 512 / 2);
}

TEST(Gemini, KeepsNeighboursTogetherInItsOrder) {
  // The mean distance in a line of four is (16 - 1) / 12 hops, so 3.75 in a brick of 4 x 4 x 4. In
  // the order of coordinates, 64 Geminis are almost three rings of 24, with 6 hops along each.
  const auto machine = made("titan", 2048);
  constexpr int nodes = 128;
  for (int first = 0; first + nodes <= machine->nodes(); first += nodes) {
    int sum = 0;
    for (int a = first; a < first + nodes; ++a)
      for (int b = first; b < first + nodes; ++b) sum += machine->hops(a, b);
    // Service blades shift parts, so that some lie in two bricks, which are 4 hops apart.
    EXPECT_LT(static_cast<double>(sum) / (nodes * nodes), 6);
  }
  // The next node is in the same brick or in one beside it: at most 3 + 3 + 7 hops.
  for (int node = 1; node < machine->nodes(); ++node) EXPECT_LE(machine->hops(node - 1, node), 13);
}

TEST(Tofu, HasUnitsOfTwelveNodes) {
  EXPECT_THAT(lengths("tofu-d", 12), ElementsAre(1, 1, 1, 2, 3, 2));
  // 86 units have no box; 88 are 11 x 4 x 2, which is too long; 90 are 6 x 3 x 5.
  EXPECT_THAT(lengths("tofu-d", 1024), ElementsAre(6, 3, 5, 2, 3, 2));
  EXPECT_THAT(lengths("tofu-d", 158976), ElementsAre(24, 23, 24, 2, 3, 2));
  EXPECT_EQ(farthest(*made("tofu-d", 1080)), 3 + 1 + 2 + 1 + 1 + 1);
}

TEST(Slingshot, HasAtMostThreeHopsBetweenSwitches) {
  EXPECT_EQ(farthest(*made("slingshot", 16)), 2);
  EXPECT_EQ(farthest(*made("slingshot", 512)), 3);
  EXPECT_EQ(farthest(*made("slingshot", 16384)), 5);
  const auto network = std::get<DragonflyDescription>(known_machine("slingshot", 16384).network);
  EXPECT_EQ(network.groups, 32);
  EXPECT_EQ(network.links_per_pair_of_groups, 8);  // 272 for 31 other groups
}

TEST(FatTreeHdr, HasAsManyLevelsAsItNeeds) {
  EXPECT_EQ(farthest(*made("fat-tree", 40)), 2);
  EXPECT_EQ(farthest(*made("fat-tree", 800)), 4);
  EXPECT_EQ(farthest(*made("fat-tree", 16384)), 6);
}

}  // namespace
}  // namespace fg::topology
