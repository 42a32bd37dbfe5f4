// SPDX-License-Identifier: BSD-3-Clause
//
// The tree of a multicast reaches every host and every process once, in as few levels as its
// fan-out allows;
// pieces become one message in whatever order they come.
#include "runtime/trees/multicast_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>

namespace fg {
namespace {

/// The level of each process that a multicast reaches, and the process from which it comes; a test
/// fails if one is reached twice.
struct Reached {
  int level, from;
};
std::map<int, Reached> reached(const std::vector<int>& processes, const std::vector<int>& hosts,
                               int root, int fan_out) {
  const HostGroups groups(processes, hosts);
  std::map<int, Reached> found{{root, {0, -1}}};
  std::vector<int> todo{root};
  for (std::size_t i = 0; i < todo.size(); ++i) {
    int here = 0, elsewhere = 0;
    const int from = todo[i];
    MulticastTree(groups, root, fan_out).for_each_child(from, [&](int child) {
      EXPECT_TRUE(found.emplace(child, Reached{found.at(from).level + 1, from}).second)
          << child << " twice";
      todo.push_back(child);
      const bool same =
          hosts[static_cast<std::size_t>(from)] == hosts[static_cast<std::size_t>(child)];
      ++(same ? here : elsewhere);
    });
    EXPECT_LE(here, fan_out);
    EXPECT_LE(elsewhere, fan_out);
  }
  return found;
}

/// Levels of a tree in which every node but the last ones has `fan_out` children.
int least_depth(std::size_t others, int fan_out) {
  int depth = 0;
  for (std::size_t in_level = 1; others > 0; ++depth) {
    in_level *= static_cast<std::size_t>(fan_out);
    others -= std::min(others, in_level);
  }
  return depth;
}

constexpr int all_processes = 100;

/// Host by process, with so many processes each; or dealt out to so many hosts in turn.
std::vector<int> in_blocks(int a_host) {
  std::vector<int> hosts;
  for (int process = 0; process < all_processes; ++process) hosts.push_back(process / a_host);
  return hosts;
}
std::vector<int> in_turn(int number) {
  std::vector<int> hosts;
  for (int process = 0; process < all_processes; ++process) hosts.push_back(process % number);
  return hosts;
}

std::vector<std::vector<int>> sections() {
  std::vector<int> all(all_processes);
  std::iota(all.begin(), all.end(), 0);
  return {{5}, {2, 5}, {0, 1, 2, 3, 4, 5, 6, 7}, {1, 3, 9, 10, 40}, all};
}

TEST(MulticastTree, ReachesEveryProcessOnceInTheFewestLevels) {
  for (const auto& hosts : {in_blocks(1), in_blocks(all_processes)})
    for (const auto& processes : sections())
      for (const int root : {0, 1, 3, 5, 40, 99})
        for (const int fan_out : {1, 2, 3, 8}) {
          const auto found = reached(processes, hosts, root, fan_out);
          std::size_t others = 0;
          int deepest = 0;
          for (const int process : processes) {
            ASSERT_TRUE(found.contains(process)) << process << " from " << root;
            others += process != root;
            deepest = std::max(deepest, found.at(process).level);
          }
          EXPECT_EQ(found.size(), others + 1) << "only the section, and the root";
          EXPECT_EQ(deepest, least_depth(others, fan_out));
        }
}

TEST(MulticastTree, EntersEachHostOnce) {
  for (const auto& hosts : {in_blocks(1), in_blocks(2), in_blocks(3), in_blocks(16), in_turn(2),
                            in_turn(7), in_turn(50)})
    for (const auto& processes : sections())
      for (const int root : {0, 1, 3, 5, 40, 99})
        for (const int fan_out : {1, 2, 8}) {
          const auto found = reached(processes, hosts, root, fan_out);
          const auto host = [&](int process) { return hosts[static_cast<std::size_t>(process)]; };
          std::map<int, std::size_t> members;
          for (const int process : processes) {
            ASSERT_TRUE(found.contains(process)) << process << " from " << root;
            if (process != root) ++members[host(process)];
          }
          EXPECT_EQ(found.size(), 1 + processes.size() - std::ranges::count(processes, root));
          std::map<int, int> entered;
          std::size_t largest = 0;
          for (const auto& [process, its] : found)
            if (its.from >= 0 && host(its.from) != host(process)) ++entered[host(process)];
          for (const auto& [its_host, count] : members) {
            EXPECT_EQ(entered[its_host], its_host == host(root) ? 0 : 1) << "host " << its_host;
            largest = std::max(largest, count);
          }
          const int most = least_depth(members.size() - members.count(host(root)), fan_out) +
                           least_depth(largest, fan_out);
          for (const auto& [process, its] : found) EXPECT_LE(its.level, most);
        }
}

TEST(MulticastTree, HasOtherInnerProcessesForOtherRoots) {
  std::vector<int> processes(16), forwards(16);
  std::iota(processes.begin(), processes.end(), 0);
  for (const int a_host : {1, 4, 16}) {
    std::ranges::fill(forwards, 0);
    const std::vector<int> hosts = in_blocks(a_host);
    const HostGroups groups(processes, hosts);
    for (const int root : processes)
      for (const int process : processes)
        MulticastTree(groups, root, 2).for_each_child(process, [&](int) {
          ++forwards[static_cast<std::size_t>(process)];
        });
    // 15 edges in each of 16 trees, shared evenly.
    for (const int count : forwards) EXPECT_EQ(count, 15) << a_host << " on a host";
  }
}

struct Note : Message {
  std::int32_t number;
};

TEST(PieceAssembly, MakesOneMessageOfPiecesInAnyOrder) {
  Pool::attach();
  PieceAssembly assembly;
  const auto note = make_message<Note>(1000);
  note->number = 5;
  for (int i = 0; i < 1000; ++i) note->trailing<char>()[i] = static_cast<char>(i * 7);
  const auto body = note->body();
  std::vector<std::size_t> offsets;
  for (std::size_t at = 0; at < body.size(); at += 64) offsets.push_back(at);
  std::mt19937 random(3);
  // Two messages from two processes, under the same number.
  for (int trial = 0; trial < 20; ++trial) {
    std::shuffle(offsets.begin(), offsets.end(), random);
    for (const std::size_t& at : offsets)
      for (const int root : {0, 1}) {
        const auto whole =
            assembly.take(root, 9, note->extent(), at,
                          body.subspan(at, std::min<std::size_t>(64, body.size() - at)));
        ASSERT_EQ(static_cast<bool>(whole), &at == &offsets.back());
        if (!whole) continue;
        const auto& copy = static_cast<const Note&>(*whole);
        EXPECT_EQ(copy.number, 5);
        EXPECT_TRUE(std::equal(body.begin(), body.end(), whole->body().begin()));
        EXPECT_TRUE(whole->unique());
      }
  }
  Pool::detach();
}

}  // namespace
}  // namespace fg
