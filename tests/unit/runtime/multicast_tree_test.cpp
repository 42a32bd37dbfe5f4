// SPDX-License-Identifier: BSD-3-Clause
//
// The tree of a multicast reaches every process once, in as few levels as its fan-out allows;
// pieces become one message in whatever order they come.
#include "runtime/trees/multicast_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

namespace fg {
namespace {

/// The level of each process that a multicast reaches; a test fails if one is reached twice.
std::map<int, int> levels(const std::vector<int>& processes, int root, int fan_out) {
  std::map<int, int> level{{root, 0}};
  std::vector<int> todo{root};
  for (std::size_t i = 0; i < todo.size(); ++i) {
    int children = 0;
    MulticastTree(processes, root, fan_out).for_each_child(todo[i], [&](int child) {
      EXPECT_TRUE(level.emplace(child, level.at(todo[i]) + 1).second) << child << " twice";
      todo.push_back(child);
      ++children;
    });
    EXPECT_LE(children, fan_out);
  }
  return level;
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

TEST(MulticastTree, ReachesEveryProcessOnceInTheFewestLevels) {
  const std::vector<std::vector<int>> sections{
      {5}, {2, 5}, {0, 1, 2, 3, 4, 5, 6, 7}, {1, 3, 9, 10, 40}};
  for (const auto& processes : sections)
    for (const int root : {0, 1, 3, 5, 40, 99})
      for (const int fan_out : {1, 2, 3, 8}) {
        const auto level = levels(processes, root, fan_out);
        std::size_t others = 0;
        int deepest = 0;
        for (const int process : processes) {
          ASSERT_TRUE(level.contains(process)) << process << " from " << root;
          others += process != root;
          deepest = std::max(deepest, level.at(process));
        }
        EXPECT_EQ(level.size(), others + 1) << "only the section, and the root";
        EXPECT_EQ(deepest, least_depth(others, fan_out));
      }
}

TEST(MulticastTree, HasOtherInnerProcessesForOtherRoots) {
  std::vector<int> processes(16), forwards(16);
  for (int i = 0; i < 16; ++i) processes[static_cast<std::size_t>(i)] = i;
  for (const int root : processes)
    for (const int process : processes)
      MulticastTree(processes, root, 2).for_each_child(process, [&](int) {
        ++forwards[static_cast<std::size_t>(process)];
      });
  // 15 edges in each of 16 trees, shared evenly.
  for (const int count : forwards) EXPECT_EQ(count, 15);
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
