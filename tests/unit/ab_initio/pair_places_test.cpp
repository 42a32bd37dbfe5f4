// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/division/pair_places.hpp"

#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "fft/partition.hpp"

namespace fg::ab_initio {
namespace {

TEST(PairPlaces, EachPlaceHasAsManyPairCalculatorsAsThereAreGroups) {
  for (const auto& [blocks, groups] : {std::pair{64, 4}, {7, 3}, {5, 5}, {9, 1}, {1, 1}}) {
    std::set<std::pair<int, int>> seen;
    for (int block = 0; block < blocks; ++block)
      for (int group = 0; group < groups; ++group) {
        const PairPlace at = pair_place(block, group, blocks, groups);
        EXPECT_GE(at.place, 0);
        EXPECT_LT(at.place, blocks);
        EXPECT_GE(at.number, 0);
        EXPECT_LT(at.number, groups);
        EXPECT_TRUE(seen.insert({at.place, at.number}).second);
      }
  }
}

TEST(PairPlaces, WithOneGroupTheyAreThoseOfTheBlocks) {
  for (int block = 0; block < 6; ++block) EXPECT_EQ(pair_place(block, 0, 6, 1).place, block);
}

// A group is at blocks / groups places; there a block is among the rows. Each other group wants it
// at the one place that has its columns.
TEST(PairPlaces, ABlockIsWantedAtFewPlaces) {
  constexpr int blocks = 64, groups = 4;
  for (int wanted = 0; wanted < blocks; ++wanted) {
    std::set<int> places;
    for (int block = 0; block < blocks; ++block)
      for (int group = 0; group < groups; ++group)
        if (block == wanted || fft::owner(blocks, groups, wanted) == group)
          places.insert(pair_place(block, group, blocks, groups).place);
    EXPECT_EQ(places.size(), blocks / groups + groups - 1);
  }
}

}  // namespace
}  // namespace fg::ab_initio
