// SPDX-License-Identifier: BSD-3-Clause
#include "transport/message.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <thread>
#include <vector>

namespace fg {
namespace {

struct Numbers : Message {
  std::int32_t count;
  double weight;
};

TEST(Message, FieldsAreZeroAndTrailingBytesAligned) {
  for (std::size_t bytes : {0u, 1u, 64u, 1000u, 100000u}) {
    const Ref<Numbers> m = make_message<Numbers>(bytes);
    EXPECT_EQ(m->count, 0);
    EXPECT_EQ(m->weight, 0.0);
    EXPECT_EQ(m->trailing_bytes(), bytes);
    if (bytes == 0) continue;
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(m->trailing<char>()) % 64, 0u);
    m->trailing<char>()[bytes - 1] = 'x';
  }
}

TEST(Message, CountsItsHolders) {
  Ref<Numbers> a = make_message<Numbers>();
  EXPECT_TRUE(a->unique());
  Ref<const Numbers> b = a;
  EXPECT_FALSE(a->unique());
  const Ref<const Numbers> c = std::move(b);
  EXPECT_FALSE(static_cast<bool>(b));
  a = nullptr;
  EXPECT_TRUE(c->unique());
  b = c;
  EXPECT_EQ(b, c);
}

TEST(Message, IsFreedOnceByItsLastHolder) {
  for (int round = 0; round < 50; ++round) {
    const Ref<Numbers> m = make_message<Numbers>(256);
    m->count = round;
    std::vector<std::jthread> holders;
    for (int t = 0; t < 4; ++t)
      holders.emplace_back([copy = Ref<const Numbers>(m), round] {
        for (int i = 0; i < 200; ++i) {
          const Ref<const Numbers> again = copy;
          EXPECT_EQ(again->count, round);
        }
      });
    holders.clear();
    EXPECT_TRUE(m->unique());
  }
}

}  // namespace
}  // namespace fg
