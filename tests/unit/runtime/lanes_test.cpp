// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/threads/lanes.hpp"

#include <gtest/gtest.h>

namespace fg {
namespace {

Envelope numbered(std::uint64_t n) {
  return {nullptr, nullptr, no_step, n};
}

TEST(EnvelopeRing, KeepsOrderWhileItGrowsAndWraps) {
  EnvelopeRing ring;
  std::uint64_t in = 0, out = 0;
  for (int round = 0; round < 200; ++round) {
    for (int i = 0; i < 37; ++i) ring.push(numbered(in++));
    for (int i = 0; i < (round % 3 ? 31 : 43) && !ring.empty(); ++i)
      ASSERT_EQ(ring.pop().payload, out++);
  }
  while (!ring.empty()) ASSERT_EQ(ring.pop().payload, out++);
  EXPECT_EQ(in, out);
}

TEST(Lanes, HigherLanesComeFirst) {
  Lanes lanes;
  lanes.push(Lane::low, numbered(3));
  lanes.push(Lane::normal, numbered(2));
  lanes.push(Lane::urgent, numbered(0));
  lanes.push(Lane::high, numbered(1));
  for (std::uint64_t n = 0; n < 4; ++n) EXPECT_EQ(lanes.pop().payload, n);
  EXPECT_TRUE(lanes.empty());
}

TEST(Lanes, NoLaneStarves) {
  Lanes lanes;
  lanes.push(Lane::low, numbered(1));
  int picks = 0;
  for (;; ++picks) {
    lanes.push(Lane::urgent, numbered(0));
    if (lanes.pop().payload == 1) break;
    ASSERT_LT(picks, 32 * lane_count);
  }
}

}  // namespace
}  // namespace fg
