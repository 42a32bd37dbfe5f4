// SPDX-License-Identifier: BSD-3-Clause
//
// After a warm-up the runtime takes no memory from the system: calls of malloc and related
// functions are counted by replacing them, and the pools' reserves are compared. Sanitizers bring
// their own malloc, so with them only the reserve is checked.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/runtime.hpp"
#include "support/count_allocations.hpp"

namespace fg::test {
namespace {

constexpr std::int64_t warm = 200;   // steps before counting starts
constexpr std::int64_t steps = 600;  // steps in all

struct Data : Message {
  std::int64_t step;
};

/// Everything a step may use: a multicast to all, early messages, parts of a life, a choice, a
/// reduction, and a ping-pong between neighbours. Meanwhile an exchange goes round and round.
class Peer : public Chare<Peer, 3> {
 public:
  void data(Ref<const Data> m) { sum += m->trailing<float>()[0]; }
  void total(Ref<const ReductionMessage<double>> m) { sum += m->values()[0]; }
  void ping(std::int64_t left) {
    if (left > 0) array().at_ordinal((ordinal() + 1) % array().size()).send<&Peer::ping>(left - 1);
  }

  void pass(std::int64_t round) {
    *ring.place<std::int64_t>(*this, 0, round) = round;
    ring.sent(*this, round);
  }
  void turned(std::int64_t round) {
    sum += static_cast<double>(*ring.from<std::int64_t>(*this, 0, round));
    ring.release(*this, round);
    if (round + 1 < steps) pass(round + 1);
  }

  Task await_total(std::int64_t step) {
    const std::size_t first = co_await any_of(expect<&Peer::data>(-1), expect<&Peer::total>(step));
    sum += static_cast<double>(first);
  }
  Task exchange(std::int64_t step) {
    const Ref<Data> message = make_message<Data>(1000);
    message->step = step;
    message->trailing<float>()[0] = 1;
    array().broadcast_at<&Peer::data>(step, message, step % 2 ? Lane::high : Lane::normal);
    co_await when<&Peer::data>(step, array().size());
  }

  Task life() {
    for (std::int64_t step = 0; step < steps; ++step) {
      self().send<&Peer::ping>(5);
      co_await exchange(step);
      reduction.contribute(*this, step, {sum});
      Task awaits = await_total(step), ended;
      co_await together(awaits, ended);
      if (ordinal() == 0 && step == warm) before = {allocations.load(), Pool::reserved_bytes()};
      if (ordinal() == 0 && step == steps - 1) after = {allocations.load(), Pool::reserved_bytes()};
    }
  }

  struct Count {
    std::uint64_t calls = 0;
    std::size_t reserved = 0;
  };
  Reduction<double> reduction;
  Exchange<Peer, Peer> ring;
  Count before, after;
  double sum = 0;
};

struct Case {
  int pes;
  std::size_t trace;  // records; few, so that the ring wraps often
};

class SteadyState : public testing::TestWithParam<Case> {};

TEST_P(SteadyState, TakesNoMemory) {
  Runtime rt({.pes = GetParam().pes, .pin = false, .trace = GetParam().trace});
  const std::array<int, 3> shape{2, 2, 3};
  const Array<Peer> peers = rt.create_array<Peer>(shape, round_robin_map<3>(shape, rt.pes()));
  const Reduction<double> reduction(peers, 1, deliver_at<&Peer::total>(peers));
  // A peer may be as many rounds ahead of the next one as there are peers.
  const auto ring = Exchange<Peer, Peer>::make<&Peer::turned>(
      peers, peers,
      [&](const auto& index) {
        return std::vector<ExchangeCore::Link>{
            {(peers.ordinal(index) + 1) % peers.size(), sizeof(std::int64_t)}};
      },
      {.window = peers.size() + 1});
  for (int i = 0; i < peers.size(); ++i) {
    peers.object_at(i).reduction = reduction;
    peers.object_at(i).ring = ring;
  }
  peers.broadcast<&Peer::pass>(std::int64_t{0});
  peers.broadcast<&Peer::life>();
  const std::uint64_t calls_before_run = allocations.load();
  rt.run_until_quiescent();
  const Peer& first = peers.object_at(0);
  if (counts_allocations) {
    EXPECT_GT(allocations.load(),
              calls_before_run);  // the counter works: starting threads allocates
    // On several PEs a queue may still reach a new maximum length once.
    const std::uint64_t growths = rt.pes() == 1 ? 0 : 8;
    EXPECT_LE(first.after.calls, first.before.calls + growths);
  }
  EXPECT_GT(first.after.reserved, 0u);
  if (rt.pes() == 1) {
    EXPECT_EQ(first.after.reserved, first.before.reserved);
  } else {
    // The order in which PEs run changes how many blocks are in use at once: a few slabs more at
    // most.
    EXPECT_LE(first.after.reserved, first.before.reserved + 4 * 65536);
  }
}

INSTANTIATE_TEST_SUITE_P(PesAndTraces, SteadyState,
                         testing::Values(Case{1, 0}, Case{2, 0}, Case{1, 64}, Case{2, 64}));

}  // namespace
}  // namespace fg::test
