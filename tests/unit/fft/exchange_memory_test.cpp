// SPDX-License-Identifier: BSD-3-Clause
//
// The file of remembered exchanges: what is written is read again, and a file that is not ours
// stays as it is.
#include "fft/exchange_memory.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <vector>

namespace fg::fft {
namespace {

class ExchangeMemory : public ::testing::Test {
 protected:
  ~ExchangeMemory() override { std::filesystem::remove_all(folder); }

  std::string text() const {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  void write(const std::string& content) const {
    std::filesystem::create_directories(folder);
    std::ofstream(file) << content;
  }

  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("exchange_memory_test_" + std::to_string(getpid()));
  std::filesystem::path file = folder / "transforms.json";
};

const ExchangeChoice messages{
    "messages", {2, 3}, {{"messages 2 x 3", 12.5}, {"collective 2 x 3", 20}}};

TEST_F(ExchangeMemory, GivesBackWhatItGot) {
  EXPECT_FALSE(recall_exchange(file, "a").choice);
  EXPECT_EQ(remember_exchange(file, "a \"quoted\" \\ key\twith all", messages), "");
  EXPECT_EQ(remember_exchange(file, "b", {"collective", {6, 1}, {}}), "");
  const Recollection found = recall_exchange(file, "a \"quoted\" \\ key\twith all");
  ASSERT_TRUE(found.choice);
  EXPECT_EQ(found.trouble, "");
  EXPECT_EQ(found.choice->travel, "messages");
  EXPECT_EQ(found.choice->parts, (std::array{2, 3}));
  EXPECT_EQ(found.choice->microseconds, messages.microseconds);
  EXPECT_EQ(recall_exchange(file, "b").choice->travel, "collective");
  EXPECT_FALSE(recall_exchange(file, "c").choice);
  // No draft is left beside it.
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
}

TEST_F(ExchangeMemory, ANewChoiceReplacesTheOldOne) {
  remember_exchange(file, "a", messages);
  remember_exchange(file, "a", {"collective", {6, 1}, {}});
  EXPECT_EQ(recall_exchange(file, "a").choice->parts, (std::array{6, 1}));
  EXPECT_EQ(text().find("messages"), std::string::npos);
}

TEST_F(ExchangeMemory, DropsTheOldestOfVeryMany) {
  for (int k = 0; k < 502; ++k) remember_exchange(file, std::to_string(k), messages);
  EXPECT_FALSE(recall_exchange(file, "1").choice);
  EXPECT_TRUE(recall_exchange(file, "2").choice);
  EXPECT_TRUE(recall_exchange(file, "501").choice);
}

TEST_F(ExchangeMemory, LeavesADamagedOrForeignFileAlone) {
  const std::vector<std::string> contents = {
      "",
      "no JSON",
      std::string(100000, '['),
      "{\"choices\": {}}",
      R"({"format": 2, "choices": {}})",
      R"({"format": 1, "choices": []})",
      R"({"format": 1, "choices": {"a": 3}})",
      R"({"format": 1, "choices": {"a": {"travel": "pigeon", "parts": [1, 1], "microseconds": {}}}})",
      R"({"format": 1, "choices": {"a": {"travel": "messages", "parts": [0, 1], "microseconds": {}}}})",
      R"({"format": 1, "choices": {"a": {"travel": "messages", "parts": [1.5, 1], "microseconds": {}}}})",
      R"({"format": 1, "choices": {"a": {"travel": "messages", "parts": [1], "microseconds": {}}}})"};
  for (const std::string& content : contents) {
    write(content);
    const Recollection found = recall_exchange(file, "a");
    EXPECT_FALSE(found.choice) << content;
    EXPECT_NE(found.trouble.find(file.string()), std::string::npos) << content;
    EXPECT_NE(remember_exchange(file, "a", messages), "") << content;
    EXPECT_EQ(text(), content);
  }
}

TEST_F(ExchangeMemory, SaysWhereItCannotWrite) {
  write("{}");
  const std::string trouble = remember_exchange(file / "below" / "a file.json", "a", messages);
  EXPECT_NE(trouble.find("cannot be written"), std::string::npos) << trouble;
  EXPECT_EQ(remember_exchange({}, "a", messages), "");  // no home folder
}

TEST_F(ExchangeMemory, LiesInTheUsersCache) {
  setenv("XDG_CACHE_HOME", "/some/cache", 1);
  EXPECT_EQ(exchange_file(), "/some/cache/finegrain/transforms.json");
  setenv("XDG_CACHE_HOME", "relative", 1);
  setenv("HOME", "/users/me", 1);
  EXPECT_EQ(exchange_file(), "/users/me/.cache/finegrain/transforms.json");
  unsetenv("XDG_CACHE_HOME");
  EXPECT_EQ(exchange_file(), "/users/me/.cache/finegrain/transforms.json");
  unsetenv("HOME");
  EXPECT_EQ(exchange_file(), "");
}

}  // namespace
}  // namespace fg::fft
