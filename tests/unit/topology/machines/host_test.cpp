// SPDX-License-Identifier: BSD-3-Clause
//
// One node as a machine: distances between hardware threads, worked out by hand.
#include "topology/machines/host/host.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include "base/error.hpp"
#include "support/expect_refused.hpp"
#include "topology/machines/make_machine.hpp"

namespace fg::topology {
namespace {

TEST(Host, HasTheDistancesOfItsParts) {
  const auto host = make_machine(
      host_machine("server", regular_host({.sockets = 2, .caches = 2, .cores = 4, .threads = 2})));
  EXPECT_EQ(host->nodes(), 32);
  EXPECT_EQ(host->hops(0, 1), 2);   // of one core
  EXPECT_EQ(host->hops(0, 2), 4);   // of one cache
  EXPECT_EQ(host->hops(0, 8), 6);   // of one socket
  EXPECT_EQ(host->hops(0, 16), 8);  // of the host
  // A core for each two threads, four caches, two sockets and the host. The one memory of a socket
  // counts for nothing.
  EXPECT_EQ(host->routers(), 16 + 4 + 2 + 1);
  EXPECT_EQ(host->router_name(host->router(31)), "core 15");
  EXPECT_EQ(host->coordinates().at(31, 0), 31);
}

TEST(Host, MayBeIrregular) {
  // A core with two threads, and a cache with two cores that have one each.
  const HostPart thread{HostKind::thread};
  const HostPart large{HostKind::core, {thread, thread}}, small{HostKind::core, {thread}};
  const HostPart host{HostKind::host, {large, {HostKind::cache, {small, small}}}};
  const auto machine = make_machine(host_machine("hybrid", host));
  EXPECT_EQ(machine->nodes(), 4);
  EXPECT_EQ(machine->hops(0, 1), 2);
  EXPECT_EQ(machine->hops(2, 3), 4);
  EXPECT_EQ(machine->hops(1, 2), 5);  // up by one core, down by the cache and the core
}

TEST(Host, MayHaveOneThread) {
  const auto machine = make_machine(host_machine("small", regular_host({})));
  EXPECT_EQ(machine->nodes(), 1);
  EXPECT_EQ(machine->routers(), 1);
}

TEST(Host, HasTheSpeedOfEachPart) {
  const HostSpeeds speeds{.thread = {.bandwidth = 5e9}, .socket = {.bandwidth = 1e9}};
  const auto machine = make_machine(
      host_machine("pair", regular_host({.sockets = 2, .cores = 1, .threads = 2}), speeds));
  EXPECT_EQ(machine->link(Machine::link_from(0)).speed.bandwidth, 5e9);
  EXPECT_EQ(machine->hops(0, 3), 4);
}

TEST(Host, WithoutPartsIsRefused) {
  test::expect_refused<InputError>(
      [] { make_machine(host_machine("none", regular_host({.sockets = 0}))); },
      "the number of nodes is too small");
}

TEST(Host, OfThisComputerHasTheThreadsThatMayBeUsed) {
  cpu_set_t allowed;
  ASSERT_EQ(sched_getaffinity(0, sizeof allowed, &allowed), 0);
  EXPECT_EQ(make_machine(host_machine("here", this_host()))->nodes(), CPU_COUNT(&allowed));
}

}  // namespace
}  // namespace fg::topology
