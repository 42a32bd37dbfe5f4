// SPDX-License-Identifier: BSD-3-Clause
//
// The groups of a batch: each field is in one of them, a group is at most 2^18 bytes of a rank if
// it is more than one field, and only one is under way if parcels travel by collective calls.
#include "fft/batch_cut.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace fg::fft {
namespace {

TransformPlan plan_of(const Grid& grid, int ranks) {
  return TransformPlan({grid, {}, slabs(grid, 0, ranks), slabs(grid, 1, ranks), {}});
}

TEST(BatchCut, EveryFieldIsInOneGroup) {
  for (const int n : {4, 16, 20, 32})
    for (const int ranks : {1, 2, 3})
      for (const int batch : {1, 2, 3, 7, 31, 32})
        for (const bool one_at_a_time : {false, true}) {
          const TransformPlan plan = plan_of({n, n, n}, ranks);
          std::vector<int> times(static_cast<std::size_t>(batch));
          const auto turns = turns_of(plan, batch, 16, one_at_a_time);
          for (const BatchTurns& one : turns)
            for (int first = one.first; first < one.end; first += one.step)
              for (int k = 0; k < one.fields; ++k) ++times.at(static_cast<std::size_t>(first + k));
          EXPECT_EQ(std::count(times.begin(), times.end(), 1), batch) << n << " " << ranks;
          EXPECT_LE(turns.size(), one_at_a_time ? 1U : 3U);
          for (const BatchTurns& one : turns)
            EXPECT_TRUE(one.fields == 1 || one.fields * n * n * n * 16 / ranks <= 1 << 18);
        }
}

TEST(BatchCut, LargeFieldsGoByTwosOneAtEachPlace) {
  const TransformPlan plan = plan_of({64, 64, 64}, 2);
  const std::vector<BatchTurns> two{{1, 0, 2, 5}, {1, 1, 2, 5}}, one{{1, 0, 1, 5}};
  EXPECT_EQ(turns_of(plan, 5, 16, false), two);
  EXPECT_EQ(turns_of(plan, 5, 16, true), one);
}

TEST(BatchCut, SmallFieldsGoTogetherAndTheRestHasAPlaceOfItsOwn) {
  // A rank has 16^3 * 16 / 2 = 2^15 bytes of a field: 8 fit in 2^18.
  const TransformPlan plan = plan_of({16, 16, 16}, 2);
  const std::vector<BatchTurns> many{{8, 0, 16, 32}, {8, 8, 16, 32}, {3, 32, 3, 35}},
      one{{7, 0, 7, 35}};  // the most that divide 35
  EXPECT_EQ(turns_of(plan, 35, 16, false), many);
  EXPECT_EQ(turns_of(plan, 35, 16, true), one);
}

}  // namespace
}  // namespace fg::fft
