// SPDX-License-Identifier: BSD-3-Clause
#include "transport/streaming_copy.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace fg {
namespace {

using std::chrono::nanoseconds;

TEST(StreamingCopy, WritesTheBytesAndNothingBesideThem) {
  constexpr std::size_t room = 1024, guard = 64;
  std::vector<std::byte> from(room), expected(room + 2 * guard);
  for (std::size_t i = 0; i < room; ++i) from[i] = static_cast<std::byte>(i * 7 + 1);
  for (const std::size_t to_offset : {0u, 1u, 8u, 16u, 63u})
    for (const std::size_t from_offset : {0u, 3u, 32u})
      for (std::size_t bytes = 0; bytes <= 400; ++bytes) {
        std::vector<std::byte> to(room + 2 * guard, std::byte{0xEE});
        expected = to;
        std::memcpy(expected.data() + guard + to_offset, from.data() + from_offset, bytes);
        copy_streaming(to.data() + guard + to_offset, from.data() + from_offset, bytes);
        ASSERT_EQ(to, expected) << bytes << " bytes to " << to_offset;
      }
}

/// Copies for a while where the two kinds take these times; how many of them were streaming.
int streaming_of(CopyChoice& choice, int copies, nanoseconds ordinary, nanoseconds streaming) {
  int count = 0;
  for (int i = 0; i < copies; ++i) {
    const CopyKind kind = choice.next();
    count += kind == CopyKind::streaming;
    choice.took(kind, 1000, kind == CopyKind::streaming ? streaming : ordinary);
  }
  return count;
}

TEST(CopyChoice, TakesTheFasterKindAndTriesTheOtherNowAndThen) {
  constexpr int copies = 100 * CopyChoice::tries_apart;
  CopyChoice near, far;
  EXPECT_NEAR(streaming_of(near, copies, nanoseconds(100), nanoseconds(300)), 100, 5);
  EXPECT_EQ(near.faster(), CopyKind::ordinary);
  EXPECT_NEAR(streaming_of(far, copies, nanoseconds(900), nanoseconds(300)), copies - 100, 5);
  EXPECT_EQ(far.faster(), CopyKind::streaming);
}

TEST(CopyChoice, FollowsCoresThatMove) {
  CopyChoice choice;
  streaming_of(choice, 1000, nanoseconds(100), nanoseconds(300));
  for (int times = 0; times < 3; ++times) {
    streaming_of(choice, 10 * CopyChoice::tries_apart, nanoseconds(900), nanoseconds(300));
    EXPECT_EQ(choice.faster(), CopyKind::streaming);
    streaming_of(choice, 10 * CopyChoice::tries_apart, nanoseconds(100), nanoseconds(300));
    EXPECT_EQ(choice.faster(), CopyKind::ordinary);
  }
}

}  // namespace
}  // namespace fg
