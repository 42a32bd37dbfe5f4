// SPDX-License-Identifier: BSD-3-Clause
//
// JSON as RFC 8259 defines it.
#include "base/json_reader.hpp"

#include <gtest/gtest.h>

namespace fg {
namespace {

using Kind = JsonValue::Kind;

TEST(JsonReader, ReadsValuesOfAllKinds) {
  const auto value = read_json(
      R"( {"a": [1, -2.5e3, "x\n\"\u00e9\u20ac"], "b": {"c": null, "d": true}, "e": [], "f": {}} )");
  ASSERT_TRUE(value);
  const JsonValue& list = *value->find("a");
  ASSERT_EQ(list.list.size(), 3u);
  EXPECT_EQ(list.list[0].number, 1);
  EXPECT_EQ(list.list[1].number, -2500);
  EXPECT_EQ(list.list[2].text, "x\n\"\xc3\xa9\xe2\x82\xac");
  EXPECT_EQ(value->find("b")->find("c")->kind, Kind::null);
  EXPECT_TRUE(value->find("b")->find("d")->boolean);
  EXPECT_EQ(value->find("e")->kind, Kind::list);
  EXPECT_EQ(value->find("f")->kind, Kind::object);
  EXPECT_EQ(value->find("g"), nullptr);
  EXPECT_EQ(list.find("g"), nullptr);
}

TEST(JsonReader, RefusesWhatIsNoJson) {
  for (const char* text :
       {"",       " ",      "{",       "[1",        "[1,]",  "{\"a\"}",       "{\"a\": }",
        "{a: 1}", "\"open", "\"\\x\"", "\"\\u12\"", "1 2",   "tru",           "truex",
        "nan",    "inf",    "+1",      ".5",        "1e999", "\"line\nend\"", "[1] x"})
    EXPECT_FALSE(read_json(text)) << text;
}

TEST(JsonReader, RefusesEveryBeginningOfAText) {
  const std::string whole = R"({"a": [1, "b", {"c": false}]})";
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_FALSE(read_json(whole.substr(0, length))) << length;
  EXPECT_TRUE(read_json(whole));
}

TEST(JsonReader, RefusesDeepNestingInsteadOfOverflowingTheStack) {
  EXPECT_TRUE(read_json(std::string(60, '[') + std::string(60, ']')));
  EXPECT_FALSE(read_json(std::string(100000, '[')));
}

}  // namespace
}  // namespace fg
