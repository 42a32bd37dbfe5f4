// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <cstdint>
#include <vector>

#include "parallel/runtime/pes.hpp"
#include "runtime/runtime.hpp"

namespace fg {
namespace {

struct News : Message {
  std::int64_t number;
};

class Reader : public Chare<Reader, 4> {
 public:
  void news(Ref<const News> m) {
    sum += m->number;
    where = m.get();
    if (m->trailing_bytes() > 0) last = m->trailing<std::int32_t>()[m->trailing_bytes() / 4 - 1];
  }
  void count(std::int64_t n) { sum += n; }
  void poke() { ++pokes; }
  Task life() {
    for (std::int64_t step = 0; step < 20; ++step) {
      co_await all_of(expect<&Reader::news>(step, 3), expect<&Reader::count>(step));
      ++done;
    }
  }
  std::int64_t sum = 0;
  const News* where = nullptr;
  std::int32_t last = 0;
  int pokes = 0, done = 0;
};

constexpr std::array<int, 4> shape{2, 3, 2, 4};

class Sections : public testing::TestWithParam<int> {
 protected:
  Runtime rt{{.pes = GetParam(), .pin = false}};
  Array<Reader> readers = rt.create_array<Reader>(shape, hashed_map<4>(shape, GetParam(), 5));

  std::vector<std::array<int, 4>> every_third() const {
    std::vector<std::array<int, 4>> indices;
    for (int i = 45; i >= 0; i -= 3) indices.push_back(readers.index(i));
    indices.push_back(readers.index(0));  // a member that is there twice
    return indices;
  }
};

TEST_P(Sections, AMulticastSharesOneBuffer) {
  const Section<Reader> some(readers, every_third());
  EXPECT_EQ(some.size(), 16u);
  const Ref<News> message = make_message<News>(4000);
  message->number = 3;
  message->trailing<std::int32_t>()[999] = 77;
  some.multicast<&Reader::news>(message);
  some.multicast<&Reader::poke>(Lane::high);
  some.multicast<&Reader::count>(10, Lane::low);
  rt.run_until_quiescent();
  for (int i = 0; i < readers.size(); ++i) {
    const Reader& reader = readers.object_at(i);
    EXPECT_EQ(reader.sum, i % 3 ? 0 : 13);
    EXPECT_EQ(reader.pokes, i % 3 ? 0 : 1);
    EXPECT_EQ(reader.where, i % 3 ? nullptr : message.get());
    EXPECT_EQ(reader.last, i % 3 ? 0 : 77);
  }
  EXPECT_TRUE(message->unique());
}

TEST_P(Sections, EarlyMulticastsWaitInTheMailbox) {
  for (std::int64_t step = 19; step >= 0; --step) {
    const Ref<News> message = make_message<News>();
    message->number = step;
    for (int i = 0; i < 3; ++i)
      readers.broadcast_at<&Reader::news>(step, message, static_cast<Lane>((step + i) % 4));
    readers.broadcast_at<&Reader::count>(step, 1, Lane::low);
  }
  readers.broadcast<&Reader::life>();
  rt.run_until_quiescent();
  for (int i = 0; i < readers.size(); ++i) {
    EXPECT_EQ(readers.object_at(i).sum, 3 * 190 + 20);
    EXPECT_EQ(readers.object_at(i).done, 20);
    EXPECT_TRUE(readers.object_at(i).mailbox().empty());
  }
}

TEST_P(Sections, AnEmptySectionReleasesTheMessage) {
  const Section<Reader> none(readers, std::vector<std::array<int, 4>>{});
  const Ref<News> message = make_message<News>();
  none.multicast<&Reader::news>(message);
  EXPECT_TRUE(message->unique());
  EXPECT_EQ(none.size(), 0u);
}

class Member : public Chare<Member, 1> {
 public:
  void give(std::int64_t step) { sum.contribute(*this, step, {ordinal(), 1}); }
  void take(Ref<const ReductionMessage<std::int64_t>> m) {
    total += m->values()[0];
    count += m->values()[1];
  }
  Reduction<std::int64_t> sum;
  std::int64_t total = 0, count = 0;
};

TEST_P(Sections, GetOtherMembersBetweenRuns) {
  const Section<Reader> some(readers, every_third());
  some.multicast<&Reader::poke>();
  rt.run_until_quiescent();
  some.set_members({47, 1, 4, 1});
  EXPECT_EQ(some.size(), 3u);
  some.multicast<&Reader::poke>();
  rt.run_until_quiescent();
  some.set_members({});
  some.multicast<&Reader::poke>();
  rt.run_until_quiescent();
  for (int i = 0; i < readers.size(); ++i)
    EXPECT_EQ(readers.object_at(i).pokes, (i % 3 == 0) + (i == 1 || i == 4 || i == 47)) << i;
}

TEST_P(Sections, ReduceToASection) {
  const auto members = rt.create_array<Member>({30}, round_robin_map<1>({30}, rt.pes()));
  std::vector<std::array<int, 1>> odd;
  for (int i = 1; i < 30; i += 2) odd.push_back({i});
  const Section<Member> section(members, odd);
  const Reduction<std::int64_t> sum(section, 2, deliver_to<&Member::take>(section));
  for (int i = 0; i < 30; ++i) members.object_at(i).sum = sum;
  for (std::int64_t step = 0; step < 50; ++step) section.multicast<&Member::give>(step);
  rt.run_until_quiescent();
  for (int i = 0; i < 30; ++i) {
    EXPECT_EQ(members.object_at(i).total, i % 2 ? 50 * 225 : 0);
    EXPECT_EQ(members.object_at(i).count, i % 2 ? 50 * 15 : 0);
  }
}

TEST_P(Sections, ContributingTwiceIsAnError) {
  const auto members = rt.create_array<Member>({2}, round_robin_map<1>({2}, rt.pes()));
  const Reduction<std::int64_t> sum(members, 2, deliver_to<&Member::take>(members));
  for (int i = 0; i < 2; ++i) members.object_at(i).sum = sum;
  members[{1}].send<&Member::give>(4);
  members[{1}].send<&Member::give>(4);
  EXPECT_THROW(rt.run(), InternalError);
}

INSTANTIATE_TEST_SUITE_P(All, Sections, all_pes(), pes_name);

}  // namespace
}  // namespace fg
