// SPDX-License-Identifier: BSD-3-Clause
//
// A state kept in memory is read back bit for bit. A file that is cut short or damaged, belongs to
// another job, or is in another user's folder is not read.
#include "records/hdf5/memory_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "base/error.hpp"
#include "job_file.hpp"
#include "records/files/files.hpp"

namespace fg {
namespace {

namespace fs = std::filesystem;
using test::TestFolder;

const std::string digest(64, 'd');

using Bytes = std::vector<std::byte>;

/// A record of any size, also one that is no multiple of a word.
Bytes record(int first, int count) {
  Bytes made;
  for (int i = first; i < first + count; ++i) made.push_back(static_cast<std::byte>(37 * i + 1));
  return made;
}

class MemoryFileTest : public testing::Test {
 protected:
  MemoryFileTest() {
    ::setenv("FINEGRAIN_MEMORY_DIR", (base_ / "").c_str(), 1);
    folder_ = new_memory_folder();
  }
  ~MemoryFileTest() override { ::unsetenv("FINEGRAIN_MEMORY_DIR"); }

  TestFolder base_;
  std::string folder_;
};

TEST_F(MemoryFileTest, TwoStatesOfEveryRecordAreReadBack) {
  {
    MemoryFile first(folder_, 0, digest), second(folder_, 1, digest);
    for (const std::int64_t step : {20, 40, 60})
      for (const int number : {0, 1, 2}) {
        first.write(step, number, record(10 * number, number * 5));  // one is empty
        second.write(step, number, record(10 * number, number * 5));
      }
  }
  const KeptSteps kept = read_memory_folder(folder_, digest);
  ASSERT_EQ(kept.size(), 2u);
  for (const std::int64_t step : {40, 60}) {
    ASSERT_EQ(kept.at(step).size(), 3u);
    for (const int number : {0, 1, 2})
      EXPECT_EQ(kept.at(step).at(number), record(10 * number, number * 5));
  }
  struct stat status {};
  ASSERT_EQ(::stat(folder_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777u, 0700u);
  ASSERT_EQ(::stat((folder_ + "/0.0").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777u, 0600u);
}

TEST_F(MemoryFileTest, OfATruncatedFileOnlyWholeRecordsCount) {
  { MemoryFile(folder_, 0, digest).write(20, 0, record(0, 72)); }
  const auto one_record = fs::file_size(folder_ + "/0.0");
  {
    MemoryFile file(folder_, 0, digest);
    file.write(20, 0, record(0, 72));
    file.write(20, 1, record(3, 41));
  }
  const auto whole = read_whole_file(folder_ + "/0.0");
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    replace_file(folder_ + "/0.0", std::span(whole).first(size));
    const KeptSteps kept = read_memory_folder(folder_, digest);
    const std::size_t expected = size < one_record ? 0 : size < whole.size() ? 1 : 2;
    EXPECT_EQ(kept.empty() ? 0 : kept.at(20).size(), expected) << size;
  }
}

TEST_F(MemoryFileTest, ADamagedRecordIsIgnored) {
  { MemoryFile(folder_, 0, digest).write(20, 7, record(0, 72)); }
  const auto whole = read_whole_file(folder_ + "/0.0");
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    auto damaged = whole;
    damaged[bit / 8] ^= std::byte{static_cast<unsigned char>(1u << bit % 8)};
    std::ofstream(folder_ + "/0.0", std::ios::binary)
        .write(reinterpret_cast<const char*>(damaged.data()),
               static_cast<std::streamsize>(damaged.size()));
    EXPECT_TRUE(read_memory_folder(folder_, digest).empty()) << "bit " << bit;
  }
}

TEST_F(MemoryFileTest, FoldersOfOtherJobsAndOtherUsersAreLeftAlone) {
  { MemoryFile(folder_, 0, digest).write(20, 0, record(0, 72)); }
  EXPECT_TRUE(read_memory_folder(folder_, std::string(64, 'e')).empty());
  const std::string strange = base_ / "finegrain-of-somebody";
  fs::copy(folder_, strange, fs::copy_options::recursive);
  EXPECT_TRUE(read_memory_folder(strange, digest).empty());
  remove_memory_folder(strange);
  EXPECT_TRUE(fs::exists(strange + "/0.0"));

  std::ofstream(folder_ + "/notes") << "mine";
  remove_memory_folder(folder_);
  EXPECT_FALSE(fs::exists(folder_ + "/0.0"));
  EXPECT_TRUE(fs::exists(folder_ + "/notes"));
}

TEST_F(MemoryFileTest, RunsDoNotShareAFolder) {
  std::set<std::string> names;
  for (int i = 0; i < 100; ++i) names.insert(new_memory_folder());
  EXPECT_EQ(names.size(), 100u);
}

TEST_F(MemoryFileTest, TheLastProcessRemovesTheFolder) {
  { MemoryFile(folder_, 0, digest).write(20, 0, record(0, 72)); }
  { MemoryFile(folder_, 1, digest).write(20, 0, record(0, 72)); }
  remove_memory_of(folder_, 0);
  EXPECT_TRUE(fs::exists(folder_ + "/1.0"));
  remove_memory_of(folder_, 1);
  EXPECT_FALSE(fs::exists(folder_));
}

TEST_F(MemoryFileTest, WithoutRoomItSaysWhere) {
  MemoryFile file(base_ / "absent/folder", 0, digest);
  EXPECT_THROW(file.write(20, 0, record(0, 72)), ResourceError);
}

}  // namespace
}  // namespace fg
