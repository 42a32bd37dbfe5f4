// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/places/maps.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace fg {
namespace {

template <class Map>
std::vector<int> loads(Map map, std::array<int, 3> shape, int pes) {
  std::vector<int> load(static_cast<std::size_t>(pes), 0);
  for (int x = 0; x < shape[0]; ++x)
    for (int y = 0; y < shape[1]; ++y)
      for (int z = 0; z < shape[2]; ++z) {
        const std::array index{x, y, z};
        ++load.at(static_cast<std::size_t>(map(index)));
      }
  return load;
}

TEST(Maps, BlockAndRoundRobinAreBalanced) {
  const std::array<int, 3> shape{3, 5, 7};
  for (int pes = 1; pes <= 110; ++pes) {
    for (const std::vector<int>& load : {loads(block_map<3>(shape, pes), shape, pes),
                                         loads(round_robin_map<3>(shape, pes), shape, pes)}) {
      for (int n : load) {
        EXPECT_GE(n, 105 / pes);
        EXPECT_LE(n, (105 + pes - 1) / pes);
      }
    }
  }
}

TEST(Maps, PlaneKeepsTheLastIndexTogether) {
  const std::array<int, 2> shape{6, 4};
  for (int i = 0; i < 24; ++i) EXPECT_EQ((maps::plane<2>({i % 6, i / 6}, shape, 5)), i * 5 / 24);
  for (int pe = 1; pe <= 110; ++pe)
    for (int n : loads([&](const auto& index) { return maps::plane<3>(index, {3, 5, 7}, pe); },
                       {3, 5, 7}, pe)) {
      EXPECT_GE(n, 105 / pe);
      EXPECT_LE(n, (105 + pe - 1) / pe);
    }
}

TEST(Maps, HybridHasBlocksOfBothIndices) {
  // Six PEs as 2 x 3 over 6 x 4 elements.
  for (int i = 0; i < 6; ++i)
    for (int k = 0; k < 4; ++k)
      EXPECT_EQ((maps::hybrid<2>({i, k}, {6, 4}, 6)), i / 3 * 3 + k * 3 / 4);
  // 20 PEs can only be 5 x 4; 23 are no such product.
  EXPECT_EQ((maps::hybrid<2>({5, 3}, {6, 4}, 20)), 19);
  EXPECT_EQ((maps::hybrid<2>({5, 3}, {6, 4}, 23)), (maps::block<2>({5, 3}, {6, 4}, 23)));
  EXPECT_EQ((maps::hybrid<1>({5}, {7}, 3)), (maps::block<1>({5}, {7}, 3)));
}

TEST(Maps, BlockKeepsNeighboursTogether) {
  const std::array<int, 2> shape{4, 6};
  int last = 0;
  for (int i = 0; i < 24; ++i) {
    const int pe = maps::block<2>({i / 6, i % 6}, shape, 5);
    EXPECT_GE(pe, last);
    last = pe;
  }
}

TEST(Maps, HashedDependsOnTheSeedAndScatters) {
  const std::array<int, 3> shape{8, 8, 8};
  int same = 0;
  for (int i = 0; i < 512; ++i) {
    const std::array<int, 3> index{i / 64, i / 8 % 8, i % 8};
    same += maps::hashed(index, shape, 4, 1) == maps::hashed(index, shape, 4, 2);
  }
  EXPECT_LT(same, 256);  // 128 expected; a fixed computation, so no false alarms
  for (int n : loads(hashed_map<3>(shape, 4), shape, 4)) {
    EXPECT_GT(n, 80);  // 128 expected; also a fixed computation
  }
}

}  // namespace
}  // namespace fg
