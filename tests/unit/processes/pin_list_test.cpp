// SPDX-License-Identifier: BSD-3-Clause
#include "processes/pin_list.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace fg {
namespace {

TEST(PinList, HasNumbersAndRangesInTheirOrder) {
  EXPECT_EQ(processors_of("0"), std::vector{0});
  EXPECT_EQ(processors_of("4-6,0,2-2"), (std::vector{4, 5, 6, 0, 2}));
  EXPECT_TRUE(processors_of("cores").empty());
  EXPECT_TRUE(processors_of("none").empty());
}

TEST(PinList, WhatIsNoListIsRefused) {
  for (const char* wrong : {"", ",", "1,", ",1", "1-", "-1", "3-2", "1,,2", "a", "1 2", "0-3,2",
                            "1,1", "0-70000", "99999999999", "1;2", "core"})
    EXPECT_THROW(processors_of(wrong), InputError) << wrong;
}

}  // namespace
}  // namespace fg
