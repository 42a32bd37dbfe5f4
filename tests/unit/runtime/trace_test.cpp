// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/trace.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/runtime.hpp"

namespace fg {
namespace {

struct Parcels : Message {
  std::int64_t number;
};

/// A small program with only a few messages.
class Post : public Chare<Post, 2> {
 public:
  void count_down(std::int64_t left) {
    if (left > 0) array()[{0, 1 - index()[1]}].send<&Post::count_down>(left - 1);
  }
  void take(Ref<const Parcels>) {}
  void bring() {
    const Ref<Parcels> message = make_message<Parcels>(128);
    array().broadcast_at<&Post::take>(7, message);
  }
  /// Step 8 is sent before it is awaited, and is handed over in the middle of the life.
  Task life() {
    self().send_at<&Post::take>(8, Ref<const Parcels>());
    self().send_at<&Post::take>(7, Ref<const Parcels>());
    co_await when<&Post::take>(7);
    co_await when<&Post::take>(8);
  }
  void fail() { throw NumericsError({.what = "fell over"}); }
  void quiet() {}
};

std::vector<TraceRecord> records_of(const Trace::OfPe& pe) {
  std::vector<TraceRecord> all;
  for (const auto& part : pe.records) all.insert(all.end(), part.begin(), part.end());
  return all;
}

/// Returns texts such as "entry count_down 1" for a record of what element 1 did.
std::vector<std::string> in_words(const Trace& trace, int pe = 0) {
  std::vector<std::string> words;
  for (const TraceRecord& record : records_of(trace.pes.at(static_cast<std::size_t>(pe)))) {
    if (record.kind == TraceKind::idle) continue;
    std::string name = trace.entries.at(record.entry);
    name = name.substr(name.rfind("::") + 2);
    words.push_back((record.kind == TraceKind::entry ? "entry " : "resume ") + name + " " +
                    std::to_string(record.element));
  }
  return words;
}

using Words = std::vector<std::string>;

class TraceOfOnePe : public testing::Test {
 protected:
  Runtime rt{{.pes = 1, .pin = false, .trace = 64}};
  Array<Post> spare = rt.create_array<Post>({1, 1}, block_map<2>({1, 1}, 1));
  Array<Post> posts = rt.create_array<Post>({1, 2}, block_map<2>({1, 2}, 1));
};

TEST_F(TraceOfOnePe, HasOneRecordForEachMessageInOrder) {
  posts[{0, 0}].send<&Post::count_down>(3);
  rt.run_until_quiescent();
  const Trace trace = rt.trace();
  EXPECT_EQ(in_words(trace), (Words{"entry count_down 0", "entry count_down 1",
                                    "entry count_down 0", "entry count_down 1"}));
  ASSERT_EQ(trace.arrays.size(), 2u);
  EXPECT_EQ(trace.arrays[1].name, "Post");
  EXPECT_EQ(trace.arrays[1].shape, (std::vector<int>{1, 2}));
  EXPECT_EQ(trace.pes[0].lost, 0u);
}

TEST_F(TraceOfOnePe, TellsWhoSentAMessageAndWhen) {
  posts[{0, 0}].send<&Post::count_down>(2);
  rt.run_until_quiescent();
  std::vector<TraceRecord> entries;
  for (const TraceRecord& record : records_of(rt.trace().pes[0]))
    if (record.kind == TraceKind::entry) entries.push_back(record);
  ASSERT_EQ(entries.size(), 3u);
  EXPECT_EQ(entries[0].cause, 0u);  // sent by this thread, which is no PE
  for (std::size_t i = 1; i < entries.size(); ++i) {
    const TraceRecord& sender = entries[i - 1];
    EXPECT_GE(entries[i].cause, trace_cause(0, sender.begin));
    EXPECT_LE(entries[i].cause, trace_cause(0, sender.begin + sender.duration));
    EXPECT_EQ(entries[i].array, 1);
    EXPECT_EQ(entries[i].bytes, 0u);
    EXPECT_EQ(entries[i].step, no_step);
  }
}

TEST_F(TraceOfOnePe, CutsALifeWhereAKeptMessageIsHandedToIt) {
  posts[{0, 1}].send<&Post::life>();
  rt.run_until_quiescent();
  EXPECT_EQ(in_words(rt.trace()),
            (Words{"entry life 1", "resume life 1",  // sends both, awaits 7; 8 arrives and is kept
                   "entry take 1", "resume life 1",  // 7 has arrived
                   "entry take 1", "resume life 1"}));  // 8 from the mailbox
  const std::vector<TraceRecord> records = records_of(rt.trace().pes[0]);
  for (std::size_t i = 1; i < records.size(); ++i)
    EXPECT_GE(records[i].begin, records[i - 1].begin + records[i - 1].duration);
}

TEST_F(TraceOfOnePe, TellsStepAndBytesOfAMessage) {
  posts.broadcast<&Post::life>();
  rt.run_until_quiescent();
  posts[{0, 0}].send<&Post::bring>();
  // No life awaits step 7 any more: a message kept in a mailbox has run no entry.
  rt.run_until_quiescent();
  EXPECT_EQ(in_words(rt.trace()), Words{"entry bring 0"});

  Runtime again({.pes = 1, .pin = false, .trace = 64});
  const Array<Post> one = again.create_array<Post>({1, 1}, block_map<2>({1, 1}, 1));
  const Ref<Parcels> message = make_message<Parcels>(128);
  const std::size_t size = message->body().size();
  one[{0, 0}].send<&Post::take>(message);
  again.run_until_quiescent();
  for (const TraceRecord& record : records_of(again.trace().pes[0]))
    if (record.kind == TraceKind::entry) {
      EXPECT_EQ(record.bytes, size);
    }
  EXPECT_GE(size, 128u);
}

TEST(Trace, OfAFullRingKeepsTheLatestRecordsAndCountsTheLost) {
  Runtime rt({.pes = 1, .pin = false, .trace = 8});
  const Array<Post> posts = rt.create_array<Post>({1, 2}, block_map<2>({1, 2}, 1));
  posts[{0, 0}].send<&Post::count_down>(99);
  rt.run_until_quiescent();
  const Trace trace = rt.trace();
  const std::vector<TraceRecord> kept = records_of(trace.pes[0]);
  EXPECT_EQ(kept.size(), 8u);
  // 100 messages, and perhaps one idle interval at either end.
  EXPECT_GE(trace.pes[0].lost, 92u);
  EXPECT_LE(trace.pes[0].lost, 94u);
  for (std::size_t i = 1; i < kept.size(); ++i)
    EXPECT_GE(kept[i].begin, kept[i - 1].begin + kept[i - 1].duration);
  for (const TraceRecord& record : kept)
    if (record.kind == TraceKind::entry) {
      EXPECT_NE(record.cause, 0u);  // the first record is lost
    }
}

TEST(Trace, StartsAgainWithEachRun) {
  Runtime rt({.pes = 1, .pin = false, .trace = 8});
  const Array<Post> posts = rt.create_array<Post>({1, 2}, block_map<2>({1, 2}, 1));
  posts[{0, 0}].send<&Post::count_down>(99);
  rt.run_until_quiescent();
  posts[{0, 0}].send<&Post::quiet>();
  rt.run_until_quiescent();
  EXPECT_EQ(in_words(rt.trace()), Words{"entry quiet 0"});
  EXPECT_EQ(rt.trace().pes[0].lost, 0u);
}

TEST(Trace, ContinuesAfterElementsWereMoved) {
  Runtime rt({.pes = 2, .pin = false, .trace = 64});
  const Array<Post> posts = rt.create_array<Post>({1, 2}, block_map<2>({1, 2}, 1));
  posts[{0, 0}].send<&Post::quiet>();
  rt.run_until_quiescent();
  const Trace before = rt.trace();
  const Runtime::Placement placement{posts.core(), {0, 1}};
  rt.relocate({&placement, 1});
  posts[{0, 0}].send<&Post::count_down>(1);
  rt.run_until_quiescent();
  const Trace trace = rt.trace();
  EXPECT_EQ(in_words(trace, 0), (Words{"entry quiet 0", "entry count_down 0"}));
  EXPECT_EQ(in_words(trace, 1), Words{"entry count_down 1"});
  EXPECT_EQ(trace.start_ticks, before.start_ticks);
  for (std::size_t pe = 0; pe < 2; ++pe) {
    const Trace::OfPe& of_pe = trace.pes[pe];
    EXPECT_EQ(of_pe.begin, before.pes[pe].begin);
    // The time between the runs does not count as idle.
    std::uint64_t at = of_pe.begin;
    for (const TraceRecord& record : records_of(of_pe)) {
      EXPECT_LE(at, record.begin);
      at = record.begin + record.duration;
      EXPECT_TRUE(at <= before.pes[pe].end || record.begin >= before.pes[pe].end);
    }
    EXPECT_LE(at, of_pe.end);
  }
}

TEST(Trace, LiesWithinTheRunAndItsPartsDoNotOverlap) {
  Runtime rt({.pes = 2, .pin = false, .trace = 4096});
  const Array<Post> posts = rt.create_array<Post>({1, 2}, round_robin_map<2>({1, 2}, 2));
  posts[{0, 0}].send<&Post::count_down>(1000);
  rt.run_until_quiescent();
  const Trace trace = rt.trace();
  ASSERT_EQ(trace.pes.size(), 2u);
  EXPECT_GT(trace.seconds_per_tick, 0);
  EXPECT_EQ(in_words(trace, 0).size() + in_words(trace, 1).size(), 1001u);
  for (std::size_t pe = 0; pe < 2; ++pe) {
    const Trace::OfPe& of_pe = trace.pes[pe];
    EXPECT_EQ(of_pe.rank, static_cast<int>(pe));
    EXPECT_LE(trace.start_ticks, of_pe.begin);
    std::uint64_t at = of_pe.begin;
    for (const TraceRecord& record : records_of(of_pe)) {
      EXPECT_LE(at, record.begin);
      at = record.begin + record.duration;
      // The sender is the other PE, or the thread that started the run.
      if (record.kind == TraceKind::entry && record.cause != 0) {
        EXPECT_EQ(record.cause >> 48, (1 - pe) + 1);
      }
    }
    EXPECT_LE(at, of_pe.end);
  }
}

TEST(Trace, OfAFailedRunEndsWithTheFailedEntry) {
  Runtime rt({.pes = 1, .pin = false, .trace = 64});
  const Array<Post> posts = rt.create_array<Post>({1, 2}, block_map<2>({1, 2}, 1));
  posts[{0, 0}].send<&Post::quiet>();
  posts[{0, 1}].send<&Post::fail>();
  EXPECT_THROW(rt.run(), NumericsError);
  EXPECT_EQ(in_words(rt.trace()), (Words{"entry quiet 0", "entry fail 1"}));
}

TEST(Trace, IsEmptyUnlessAskedFor) {
  Runtime rt({.pes = 2, .pin = false, .profiling = Profiling::scheduling});
  const Array<Post> posts = rt.create_array<Post>({1, 2}, block_map<2>({1, 2}, 2));
  posts.broadcast<&Post::quiet>();
  rt.run_until_quiescent();
  EXPECT_TRUE(rt.trace().pes.empty());
}

TEST(Trace, IncludesTheProfile) {
  Runtime rt({.pes = 1, .pin = false, .trace = 64});
  const Array<Post> posts = rt.create_array<Post>({1, 2}, block_map<2>({1, 2}, 1));
  posts[{0, 0}].send<&Post::count_down>(9);
  rt.run_until_quiescent();
  ASSERT_EQ(rt.profile().entries.size(), 1u);
  EXPECT_EQ(rt.profile().entries[0].count, 10u);
}

}  // namespace
}  // namespace fg
