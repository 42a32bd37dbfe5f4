// SPDX-License-Identifier: BSD-3-Clause
//
// A journaled file is always in one of its committed states: after a change that was not committed,
// with a journal that is cut short anywhere, and when the disk is full.
#include "records/hdf5/journaled_file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "job_file.hpp"
#include "records/files/files.hpp"

namespace fg {
namespace {

using test::TestFolder;
using Bytes = std::vector<std::byte>;

Bytes filled(std::size_t size, int value) {
  return Bytes(size, static_cast<std::byte>(value));
}

/// What a reader of the file with its journal sees.
Bytes seen(const std::string& path) {
  JournaledFile file(path, FileUse::read);
  Bytes bytes(file.end());
  EXPECT_TRUE(file.read(0, bytes));
  return bytes;
}

/// Runs `body`, which ends with `die`, in a process of its own.
template <class Body>
void run_to_death(Body&& body) {
  const pid_t child = ::fork();
  if (child == 0) {
    body();
    std::quick_exit(1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
}
void die() {
  ::kill(::getpid(), SIGKILL);
}

/// Random writes over old bytes and at the end, and what the file then is.
class Changes {
 public:
  explicit Changes(unsigned seed) : random_(seed) {}
  void make(JournaledFile& file, Bytes& expected) {
    for (int i = 0; i < 5; ++i) {
      const std::size_t at = random_() % (expected.size() + 1);
      const Bytes bytes = filled(1 + random_() % 3000, static_cast<int>(random_() % 256));
      ASSERT_TRUE(file.write(at, bytes));
      expected.resize(std::max(expected.size(), at + bytes.size()));
      std::copy(bytes.begin(), bytes.end(), expected.begin() + static_cast<std::ptrdiff_t>(at));
    }
  }

 private:
  std::mt19937 random_;
};

TEST(JournaledFile, HoldsWhatWasWrittenOnceItIsClosed) {
  const TestFolder folder;
  const std::string path = folder / "file";
  Bytes expected = filled(5000, 1);
  Changes changes(1);
  for (int session = 0; session < 5; ++session) {
    JournaledFile file(path, session == 0 ? FileUse::create : FileUse::change);
    if (session == 0) ASSERT_TRUE(file.write(0, expected));
    for (int i = 0; i < 10; ++i) {
      changes.make(file, expected);
      Bytes inside(expected.size());
      ASSERT_TRUE(file.read(0, inside));
      EXPECT_EQ(inside, expected);
      if (i % 3 > 0) file.commit();
    }
  }
  EXPECT_EQ(read_whole_file(path), expected);
  EXPECT_FALSE(file_exists(journal_of(path)));
}

TEST(JournaledFile, WhatWasNotCommittedIsNotThereAfterAKill) {
  const TestFolder folder;
  const std::string path = folder / "file";
  Bytes committed = filled(5000, 1), dropped;
  Changes changes(2);
  run_to_death([&] {
    JournaledFile file(path, FileUse::create);
    file.write(0, committed);
    file.commit();
    changes.make(file, committed);
    file.commit();
    dropped = committed;
    changes.make(file, dropped);
    die();
  });
  Changes again(2);
  JournaledFile scratch(folder / "scratch", FileUse::create);
  scratch.write(0, committed);
  again.make(scratch, committed);
  EXPECT_EQ(seen(path), committed);
  { const JournaledFile file(path, FileUse::change); }
  EXPECT_EQ(read_whole_file(path), committed);
}

TEST(JournaledFile, AJournalCutShortAnywhereLeavesAnEarlierState) {
  const TestFolder folder;
  const std::string path = folder / "file";
  std::vector<Bytes> states{filled(4000, 7)};
  std::vector<std::size_t> sizes;  // of the journal in each state
  {
    JournaledFile file(path, FileUse::create);
    ASSERT_TRUE(file.write(0, states[0]));
    file.commit();
    Changes changes(3);
    for (int i = 0; i < 4; ++i) {
      states.push_back(states.back());
      changes.make(file, states.back());
      file.commit();
      sizes.push_back(read_whole_file(journal_of(path)).size());
    }
    file.give_up();
  }
  const Bytes journal = read_whole_file(journal_of(path));
  ASSERT_EQ(journal.size(), sizes.back());
  for (std::size_t size = 0; size <= journal.size(); size += 211 + size % 97) {
    replace_file(journal_of(path), std::span(journal).first(size));
    std::size_t state = 0;
    while (state < sizes.size() && sizes[state] <= size) ++state;
    Bytes expected = states[state], found = seen(path);
    // Without a complete entry the end of the first state is unknown.
    if (state == 0) found.resize(expected.size());
    ASSERT_EQ(found, expected) << size;
  }
  for (const std::size_t at : {std::size_t{50}, journal.size() / 2, journal.size() - 1}) {
    Bytes damaged = journal;
    damaged[at] ^= std::byte{1};
    replace_file(journal_of(path), damaged);
    EXPECT_NE(seen(path), states.back()) << at;
  }
}

TEST(JournaledFile, AFullDiskLeavesTheLastCommit) {
  const TestFolder folder;
  const std::string path = folder / "file";
  rlimit old{};
  ::getrlimit(RLIMIT_FSIZE, &old);
  const rlimit small{40'000, old.rlim_max};
  Bytes committed = filled(5000, 1);
  bool failed = false;
  {
    JournaledFile file(path, FileUse::create);
    ASSERT_TRUE(file.write(0, committed));
    file.commit();
    ::setrlimit(RLIMIT_FSIZE, &small);
    for (int i = 0; i < 1000 && !failed; ++i) {
      Bytes next = committed;
      next.resize(next.size() + 1000, static_cast<std::byte>(i));
      next[17] = static_cast<std::byte>(i);
      try {
        failed = !file.write(17, std::span(next).subspan(17, 1)) ||
                 !file.write(committed.size(), std::span(next).last(1000));
        if (!failed) file.commit();
        if (!failed) committed = next;
      } catch (const ResourceError&) {
        failed = true;
      }
    }
    file.give_up();
    EXPECT_TRUE(file.write(0, filled(100, 99)));  // dropped
  }
  ::setrlimit(RLIMIT_FSIZE, &old);
  EXPECT_TRUE(failed);
  EXPECT_GT(committed.size(), 6000u);
  EXPECT_EQ(seen(path), committed);
  { const JournaledFile file(path, FileUse::change); }
  EXPECT_EQ(read_whole_file(path), committed);
}

TEST(JournaledFile, AJournalIsNeverThatOfAnotherFile) {
  const TestFolder folder;
  const std::string path = folder / "file";
  replace_file(journal_of(path), filled(10, 1));
  { const JournaledFile file(path, FileUse::create); }
  EXPECT_FALSE(file_exists(journal_of(path)));
}

}  // namespace
}  // namespace fg
