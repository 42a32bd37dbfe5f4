// SPDX-License-Identifier: BSD-3-Clause
//
// The engine's command line follows from the lists of options.
#include "app/arguments.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/error.hpp"
#include "support/count_members.hpp"

namespace fg::app {
namespace {

template <class Options>
constexpr std::size_t options_of = std::tuple_size_v<decltype(Options::options())>;

TEST(Arguments, NoMemberIsForgotten) {
  // The job is a plain word; the transport and the lock are the caller's.
  EXPECT_EQ(test::members_of<RunOptions>(), options_of<RunOptions> + 3);
  EXPECT_EQ(test::members_of<Arguments>(), options_of<Arguments> + 1);  // run
}

template <class Options>
void add_words(std::set<std::string_view>& words) {
  for_each_option<Options>([&](const auto& option) {
    EXPECT_TRUE(words.insert(option.word).second) << option.word;
    EXPECT_NE(usage().find(std::string(option.help)), std::string::npos) << option.word;
  });
}

TEST(Arguments, EachHasAWordOfItsOwnAndIsInTheHelp) {
  std::set<std::string_view> words;
  add_words<RunOptions>(words);
  add_words<Arguments>(words);
}

TEST(Arguments, ValuesGoToTheirMembers) {
  const Arguments all = parse({"job.h5", "--out", "here", "--pes", "3", "--map", "hashed",
                               "--hours", "0.5", "--stop-after", "40", "--pin", "0-2,5", "--trace",
                               "--overwrite", "--ranks", "2", "--json"});
  EXPECT_EQ(all.run.job, "job.h5");
  EXPECT_EQ(all.run.out, "here");
  EXPECT_EQ(all.run.pes, 3);
  EXPECT_EQ(all.run.map, "hashed");
  EXPECT_EQ(all.run.hours, 0.5);
  EXPECT_EQ(all.run.stop_after, 40);
  EXPECT_EQ(all.run.pin, "0-2,5");
  EXPECT_TRUE(all.run.trace);
  EXPECT_TRUE(all.run.profile);
  EXPECT_TRUE(all.overwrite);
  EXPECT_EQ(all.ranks, 2);
  EXPECT_TRUE(all.json);
}

TEST(Arguments, WhatCannotBeIsRefused) {
  using Words = std::vector<std::string_view>;
  for (const Words& wrong :
       {Words{"--pes"}, Words{"--pes", "0"}, Words{"--pes", "two"}, Words{"--pes", "99999999999"},
        Words{"--comm-threads", "65"}, Words{"--hours", "0"}, Words{"--hours", "nan"},
        Words{"--hours", "1e9h"}, Words{"--balance-steps", "0"}, Words{"--unknown"},
        Words{"another"}}) {
    Words words{"job.h5", "--out", "here"};
    words.insert(words.end(), wrong.begin(), wrong.end());
    EXPECT_THROW(parse(words), InputError) << wrong[0];
  }
  EXPECT_THROW(parse({"job.h5"}), InputError);
  EXPECT_THROW(parse({"--out", "here"}), InputError);
}

}  // namespace
}  // namespace fg::app
