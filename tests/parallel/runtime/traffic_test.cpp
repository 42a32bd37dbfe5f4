// SPDX-License-Identifier: BSD-3-Clause
//
// Messages in bursts, from several threads, with pooled buffers freed by other threads than their
// owners, and runs that stop and continue.
#include <cstdint>
#include <thread>
#include <vector>

#include "parallel/runtime/pes.hpp"
#include "runtime/runtime.hpp"

namespace fg {
namespace {

struct Parcel8 : Message {
  std::int64_t number;
};

class Office : public Chare<Office, 1> {
 public:
  /// Sends `n` messages to element 0 at once: more than its PE's ring holds.
  void burst(std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) {
      const Ref<Parcel8> message = make_message<Parcel8>(static_cast<std::size_t>(i % 5) * 200);
      message->number = i;
      array()[{0}].send<&Office::collect>(message, static_cast<Lane>(i % 4));
    }
  }
  void collect(Ref<const Parcel8> m) {
    sum += m->number;
    ++count;
    kept = m;  // releases the previous one here, in another thread than its owner's
  }
  void pass(Ref<const Parcel8> m) {
    if (m->number == 0) return;
    const Ref<Parcel8> next = make_message<Parcel8>(100);
    next->number = m->number - 1;
    array().at_ordinal((ordinal() + 1) % array().size()).send<&Office::pass>(next);
  }
  void tick(std::int64_t n) {
    ++count;
    if (count % 100 == 0) runtime().stop();
    if (n > 0) array().at_ordinal((ordinal() + 1) % array().size()).send<&Office::tick>(n - 1);
  }
  void close() { runtime().stop(); }

  std::int64_t sum = 0, count = 0;
  Ref<const Parcel8> kept;
};

class Traffic : public testing::TestWithParam<int> {
 protected:
  Runtime rt{{.pes = GetParam(), .pin = false}};
  Array<Office> offices = rt.create_array<Office>({9}, round_robin_map<1>({9}, GetParam()));
};

TEST_P(Traffic, ABurstToOnePeOverflowsAndArrivesWhole) {
  constexpr std::int64_t n = 5000;
  offices.broadcast<&Office::burst>(n);
  rt.run_until_quiescent();
  EXPECT_EQ(offices.object({0}).count, 9 * n);
  EXPECT_EQ(offices.object({0}).sum, 9 * n * (n - 1) / 2);
}

TEST_P(Traffic, MessagesArePassedOnManyTimes) {
  for (int i = 0; i < 9; ++i) {
    const Ref<Parcel8> message = make_message<Parcel8>();
    message->number = 3000;
    offices[{i}].send<&Office::pass>(message);
  }
  rt.run_until_quiescent();
}

TEST_P(Traffic, StopsAndContinuesWithoutLoss) {
  offices[{3}].send<&Office::tick>(8999);
  offices[{5}].send<&Office::tick>(8999);
  int runs = 0;
  const auto total = [&] {
    std::int64_t sum = 0;
    for (int i = 0; i < 9; ++i) sum += offices.object_at(i).count;
    return sum;
  };
  while (total() < 18000) {
    ++runs;
    ASSERT_LE(runs, 181);
    rt.run_until_quiescent();
  }
  EXPECT_EQ(total(), 18000);
}

TEST_P(Traffic, OtherThreadsMaySend) {
  Runtime open({.pes = GetParam(), .pin = false, .deadlock_is_error = false});
  const auto array = open.create_array<Office>({9}, round_robin_map<1>({9}, GetParam()));
  std::vector<std::jthread> senders;
  for (int t = 0; t < 3; ++t)
    senders.emplace_back([&array] {
      for (int i = 0; i < 2000; ++i) {
        const Ref<Parcel8> message = make_message<Parcel8>(64);
        message->number = 1;
        array[{i % 9}].send<&Office::collect>(message);
      }
    });
  std::jthread stopper([&] {
    senders.clear();  // joins
    open.notify_when_quiet<&Office::close>(array[{0}]);
  });
  open.run();
  std::int64_t sum = 0;
  for (int i = 0; i < 9; ++i) sum += array.object_at(i).sum;
  EXPECT_EQ(sum, 6000);
}

TEST_P(Traffic, RuntimesMayComeAndGo) {
  for (int i = 0; i < 20; ++i) {
    Runtime other({.pes = GetParam(), .pin = i % 2 == 0});
    const auto array = other.create_array<Office>({2}, round_robin_map<1>({2}, GetParam()));
    const Ref<Parcel8> message = make_message<Parcel8>();
    message->number = 20;
    array[{0}].send<&Office::pass>(message);
    other.run_until_quiescent();
  }
}

TEST_P(Traffic, AMessageMayOutliveItsRuntime) {
  Ref<const Parcel8> kept;
  {
    Runtime other({.pes = GetParam(), .pin = false});
    const auto array = other.create_array<Office>({2}, round_robin_map<1>({2}, GetParam()));
    array.broadcast<&Office::burst>(10);
    other.run_until_quiescent();
    kept = array.object({0}).kept;
  }
  EXPECT_LT(kept->number, 10);
}

INSTANTIATE_TEST_SUITE_P(All, Traffic, all_pes(), pes_name);

}  // namespace
}  // namespace fg
