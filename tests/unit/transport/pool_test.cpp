// SPDX-License-Identifier: BSD-3-Clause
#include "transport/pool.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <thread>
#include <vector>

namespace fg {
namespace {

TEST(PoolClasses, SmallestThatHolds) {
  for (std::size_t bytes = 1; bytes < 300000; bytes += bytes < 5000 ? 1 : 977) {
    const std::uint32_t size_class = pool_classes::of(bytes);
    ASSERT_GE(pool_classes::size(size_class), bytes);
    if (size_class > 0) {
      ASSERT_LT(pool_classes::size(size_class - 1), bytes);
    }
    ASSERT_EQ(pool_classes::size(size_class) % Pool::alignment, 0u);
  }
  EXPECT_EQ(pool_classes::of(0), 0u);
}

TEST(Pool, BlocksAreAlignedDistinctAndReused) {
  Pool::attach();
  std::set<void*> distinct;
  std::vector<Block> blocks;
  for (int i = 0; i < 200; ++i) {
    blocks.push_back(Pool::allocate(100));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(blocks.back().memory) % Pool::alignment, 0u);
    distinct.insert(blocks.back().memory);
  }
  EXPECT_EQ(distinct.size(), blocks.size());
  const std::size_t reserved = Pool::reserved_bytes();
  for (int round = 0; round < 10; ++round) {
    for (const Block& block : blocks) Pool::release(block);
    for (Block& block : blocks) block = Pool::allocate(100);
  }
  for (const Block& block : blocks) EXPECT_TRUE(distinct.contains(block.memory));
  EXPECT_EQ(Pool::reserved_bytes(), reserved);
  for (const Block& block : blocks) Pool::release(block);
  Pool::detach();
}

TEST(Pool, AFreeLargeBlockServesSmallerMessages) {
  constexpr std::size_t large = 3000000, smaller = 2000000, half = 1000000;
  Pool::attach();
  const Block first = Pool::allocate(large);
  Pool::release(first);
  const std::size_t reserved = Pool::reserved_bytes();
  const Block second = Pool::allocate(smaller);
  EXPECT_EQ(second.memory, first.memory);
  EXPECT_EQ(Pool::reserved_bytes(), reserved);
  // It goes back to the large ones.
  Pool::release(second);
  const Block third = Pool::allocate(large);
  EXPECT_EQ(third.memory, first.memory);
  Pool::release(third);
  // Less than half would waste more than it saves.
  const Block fourth = Pool::allocate(half);
  EXPECT_NE(fourth.memory, first.memory);
  Pool::release(fourth);
  Pool::detach();
}

TEST(Pool, RemoteFreesReturnToTheOwner) {
  Pool::attach();
  std::vector<Block> blocks;
  for (int i = 0; i < 1000; ++i) blocks.push_back(Pool::allocate(5000));
  const std::size_t reserved = Pool::reserved_bytes();
  for (int round = 0; round < 20; ++round) {
    std::vector<std::jthread> others;
    for (std::size_t t = 0; t < 4; ++t)
      others.emplace_back([&blocks, t] {
        for (std::size_t i = t; i < blocks.size(); i += 4) {
          *static_cast<int*>(blocks[i].memory) = static_cast<int>(i);
          Pool::release(blocks[i]);
        }
      });
    others.clear();
    for (Block& block : blocks) block = Pool::allocate(5000);
    ASSERT_EQ(Pool::reserved_bytes(), reserved);
  }
  for (const Block& block : blocks) Pool::release(block);
  Pool::detach();
}

TEST(Pool, ThreadsWithoutAPoolShareOne) {
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([t] {
      for (int i = 0; i < 2000; ++i) {
        const Block block = Pool::allocate(64 * static_cast<std::size_t>(1 + i % 7));
        *static_cast<int*>(block.memory) = t;
        EXPECT_EQ(*static_cast<int*>(block.memory), t);
        Pool::release(block);
      }
    });
}

TEST(Pool, ADetachedPoolIsUsedAgain) {
  Pool* first = nullptr;
  std::jthread([&] {
    first = &Pool::attach();
    Pool::release(Pool::allocate(64));
    Pool::detach();
  }).join();
  EXPECT_EQ(&Pool::attach(), first);
  Pool::detach();
}

}  // namespace
}  // namespace fg
