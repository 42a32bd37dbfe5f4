// SPDX-License-Identifier: BSD-3-Clause
//
// Descriptions that are refused, with all their problems at once.
#include "topology/machines/make_machine.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "support/expect_refused.hpp"

namespace fg::topology {
namespace {

template <class Network>
void expect_refused(const Network& network, const char* because,
                    const std::vector<int>& missing = {}) {
  test::expect_refused<InputError>(
      [&] { make_machine({.name = "wrong", .network = network, .missing_nodes = missing}); },
      because);
}

TEST(MakeMachine, ReportsAllProblemsAtOnce) {
  try {
    make_machine(
        {.name = "wrong",
         .network =
             TorusDescription{
                 .lengths = {4, 4},
                 .wraps = {true},
                 .holes = {{{1, 2}, false}, {{1, 2}, true}, {{4, 0}, false}, {{0}, false}}},
         .missing_nodes = {3, 3, 16},
         .injection = {.bandwidth = 0},
         .node = {.sockets = 2, .cores = 3},
         .processor = {.core_speed = 0, .send = -1}});
    FAIL() << "accepted";
  } catch (const InputError& error) {
    const std::string text = error.what();
    for (const char* part :
         {"the machine 'wrong': 10 problems", "whether it wraps",
          "two holes have the same coordinates (value (1,2))",
          "a hole is outside the torus (value (4,0)); limit 0 to 3 in dimension 0",
          "a hole has not one coordinate for each dimension (value (0)); limit 2 coordinates",
          "a node is missing twice (value node 3)", "limit 0 to 15",
          "the bandwidth of the injection of nodes", "do not fill its sockets",
          "the speed of a core is not a positive number (value 0)",
          "what a processor does for a message takes no time that is possible (value -1 s)"})
      EXPECT_THAT(text, testing::HasSubstr(part));
  }
}

TEST(MakeMachine, ReportsASingleProblemByItsParts) {
  try {
    make_machine({.name = "small", .network = TorusDescription{.lengths = {4, 0}}});
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(error.parts().where, "the machine 'small'");
    EXPECT_EQ(error.parts().value, "0");
    EXPECT_EQ(error.parts().limit, "1 or more");
    EXPECT_FALSE(error.parts().hint.empty());
  }
}

TEST(MakeMachine, RefusesTori) {
  expect_refused(TorusDescription{}, "number of dimensions (value 0)");
  expect_refused(TorusDescription{.lengths = {4}, .nodes_per_router = 0}, "nodes of a router");
  expect_refused(TorusDescription{.lengths = {1 << 30, 1 << 30, 1 << 30}}, "too many nodes");
  expect_refused(TorusDescription{.lengths = {4}, .speeds = {{}, {}}}, "one speed for each");
  expect_refused(TorusDescription{.lengths = {4, 4}, .axes = "AA"}, "one letter each");
  expect_refused(TorusDescription{.lengths = {2}, .holes = {{{0}, false}, {{1}, false}}},
                 "a hole at every place");
  expect_refused(TorusDescription{.lengths = {2}, .job = {{0}, {0}}}, "same coordinates");
  expect_refused(TorusDescription{.lengths = {2}, .holes = {{{0}, false}}, .job = {{0}}},
                 "a node of the job is at a hole");
  expect_refused(TorusDescription{.lengths = {3}, .job = {{0}, {1}}}, "nodes of the job", {1});
  expect_refused(TorusDescription{.lengths = {2}}, "all nodes are missing", {0, 1});
}

TEST(MakeMachine, RefusesATorusThatIsNotConnected) {
  // A line without its middle; node 1 is the third router.
  expect_refused(
      TorusDescription{
          .lengths = {3}, .wraps = {false}, .holes = {{.coordinates = {1}, .router_gone = true}}},
      "no way from node 0 to node 1 at (2) (value 1 of 2 nodes are not reached)");
}

TEST(MakeMachine, RefusesFatTrees) {
  expect_refused(FatTreeDescription{}, "no levels");
  expect_refused(FatTreeDescription{.down = {4, 2}}, "one number of uplinks");
  expect_refused(FatTreeDescription{.down = {4, -2}, .up = {1}}, "(value -2)");
  expect_refused(FatTreeDescription{.down = {4, 2}, .up = {1}, .cables = {1, 1}},
                 "one number of cables");
  expect_refused(FatTreeDescription{.down = {4000, 4000}, .up = {1}}, "too many nodes");
  expect_refused(FatTreeDescription{.down = {4, 4, 4}, .up = {60000, 60000}}, "too many links");
}

TEST(MakeMachine, RefusesDragonflies) {
  expect_refused(DragonflyDescription{}, "the number of groups is too small");
  expect_refused(DragonflyDescription{.groups = 2,
                                      .routers_per_group = 2,
                                      .nodes_per_router = 1,
                                      .links_per_pair_of_groups = 0},
                 "links of a pair of groups");
  expect_refused(
      DragonflyDescription{
          .groups = 1, .routers_per_group = 2, .nodes_per_router = 1, .local = {.latency = -1}},
      "the latency of a local link");
}

TEST(MakeMachine, RefusesGraphs) {
  expect_refused(GraphDescription{.switches = 1}, "the number of nodes is too small");
  expect_refused(GraphDescription{.switches = 2, .switch_of_node = {0, 1}}, "not connected");
  expect_refused(GraphDescription{.switches = 2, .switch_of_node = {2}},
                 "node 0 names a switch that does not exist");
  expect_refused(
      GraphDescription{
          .switches = 2, .cables = {{.a = 0, .b = 1}, {.a = 1, .b = 0}}, .switch_of_node = {0}},
      "two entries connect the same switches");
  expect_refused(
      GraphDescription{.switches = 2, .cables = {{.a = 1, .b = 1}}, .switch_of_node = {0}},
      "a switch with itself");
  expect_refused(GraphDescription{.switches = 2, .switch_of_node = {0}, .names = {"a"}},
                 "one name for each switch");
}

}  // namespace
}  // namespace fg::topology
