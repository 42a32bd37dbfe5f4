// SPDX-License-Identifier: BSD-3-Clause
#include "base/visible.hpp"

#include <gtest/gtest.h>

namespace fg {
namespace {

TEST(Visible, LeavesWordsInAnyScript) {
  EXPECT_EQ(visible("Wasser, 9 Å, 水, é\nnext"), "Wasser, 9 Å, 水, é\nnext");
  EXPECT_EQ(visible(""), "");
}

TEST(Visible, ShowsControlCodesInsteadOfObeyingThem) {
  EXPECT_EQ(visible("a\x1b[31mred"), "a\\x1b[31mred");
  EXPECT_EQ(visible("\x9d"), "\x9d");  // no character by itself
  EXPECT_EQ(visible("\xc2\x9b"
                    "1m"),
            "\\xc2\\x9b1m");
  EXPECT_EQ(visible("a\rb\x07\x7f"), "a\\x0db\\x07\\x7f");
  EXPECT_EQ(visible(std::string_view("\0", 1)), "\\x00");
}

TEST(Visible, ShowsMarksThatTurnTheDirectionOfWriting) {
  EXPECT_EQ(visible("\xe2\x80\xae"
                    "cod"),
            "\\xe2\\x80\\xaecod");
  EXPECT_EQ(visible("\xe2\x81\xa6"), "\\xe2\\x81\\xa6");
  EXPECT_EQ(visible("\xe2\x80"), "\xe2\x80");  // cut short
  EXPECT_EQ(visible("–"), "–");
}

}  // namespace
}  // namespace fg
