// SPDX-License-Identifier: BSD-3-Clause
//
// Property: any partition sums to the whole. Parts are consecutive, disjoint and equal within one;
// the owner of an index is the part that holds it; the runs of a block over all parts visit each of
// its points once.
#include <gtest/gtest.h>

#include <vector>

#include "fft/grid_box.hpp"

namespace fg::fft::test {
namespace {

TEST(Partition, PartsCoverEveryIndexOnce) {
  for (int count = 1; count <= 70; ++count)
    for (int parts = 1; parts <= 80; ++parts) {
      int next = 0, least = count, most = 0;
      for (int p = 0; p < parts; ++p) {
        const Range range = share(count, parts, p);
        ASSERT_EQ(range.begin, next) << count << " over " << parts;
        next = range.end;
        least = std::min(least, range.size());
        most = std::max(most, range.size());
        for (int i = range.begin; i < range.end; ++i) ASSERT_EQ(owner(count, parts, i), p);
      }
      ASSERT_EQ(next, count);
      ASSERT_LE(most - least, 1);
    }
}

TEST(Partition, HugeCountsDoNotOverflow) {
  const int count = 2'000'000'000, parts = 1'000'003;
  EXPECT_EQ(share(count, parts, parts - 1).end, count);
  for (int i : {0, 1, 1999, 2000, 1'999'999'999})
    EXPECT_TRUE(share(count, parts, owner(count, parts, i)).contains(i));
}

TEST(Partition, RunsOfABlockVisitEachPointOnce) {
  for (int count : {1, 5, 12})
    for (int parts : {1, 2, 5})
      for (int low = -2 * count; low <= 2 * count; low += 3)
        for (int size : {0, 1, 4, count, 2 * count + 3}) {
          std::vector<int> visits(size, 0);
          for (int p = 0; p < parts; ++p) {
            const Range owned = share(count, parts, p);
            int points = 0, last = low - 1;
            for_each_run({low, low + size}, count, owned, [&](fft::Run run) {
              EXPECT_GT(run.from, last) << "not ascending";
              for (int i = 0; i < run.size; ++i) {
                ++visits[run.from + i - low];
                EXPECT_TRUE(owned.contains(run.to + i));
                EXPECT_EQ(wrap(run.from + i, count), run.to + i);
              }
              last = run.from + run.size - 1;
              points += run.size;
            });
            EXPECT_EQ(points, overlap({low, low + size}, count, owned));
          }
          EXPECT_EQ(visits, std::vector<int>(size, 1));
        }
}

}  // namespace
}  // namespace fg::fft::test
