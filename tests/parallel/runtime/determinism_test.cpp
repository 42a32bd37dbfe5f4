// SPDX-License-Identifier: BSD-3-Clause
//
// The same bits on any number of PEs under any map: lives that exchange messages with neighbours
// and add doubles through reductions, with several steps in flight.
#include <cmath>
#include <cstdint>
#include <vector>

#include "parallel/runtime/pes.hpp"
#include "runtime/runtime.hpp"

namespace fg {
namespace {

constexpr std::array<int, 3> shape{3, 4, 5};
constexpr std::int64_t steps = 40;

struct Value : Message {
  std::int32_t from;
  double value;
};

class Node : public Chare<Node, 3> {
 public:
  Node() : state(std::sin(1.0 + ordinal())), received(6) {}

  void accept(Ref<const Value> m) { received[static_cast<std::size_t>(m->from)] = m->value; }
  void total(Ref<const ReductionMessage<double>> m) {
    mean = m->values()[0] / array().size();
    spread = m->values()[1];
  }
  void counted(Ref<const ReductionMessage<std::int64_t>> m) { count += m->values()[0]; }

  Task life() {
    for (std::int64_t step = 0; step < steps; ++step) {
      for (int direction = 0; direction < 6; ++direction) {
        const Ref<Value> message = make_message<Value>();
        message->from = direction;
        message->value = state;
        neighbour(direction).send_at<&Node::accept>(step, message,
                                                    static_cast<Lane>((ordinal() + step) % 4));
      }
      sum.contribute(*this, step, {state, state * state});
      tally.contribute(*this, step, {ordinal() * (step + 1)});
      co_await when<&Node::accept>(step, 6);
      double next = 0.3 * state;
      for (double value : received) next += 0.11 * value;
      state = next;
      // Wait for the total of the step before, not for that of this step, so that two are in
      // progress.
      if (step > 0) co_await when<&Node::total>(step - 1);
      state += 1e-3 * mean + 1e-6 * spread;
    }
    co_await all_of(expect<&Node::total>(steps - 1));
  }

  Element<Node> neighbour(int direction) const {
    Index at = index();
    const auto axis = static_cast<std::size_t>(direction / 2);
    at[axis] = (at[axis] + (direction % 2 ? 1 : shape[axis] - 1)) % shape[axis];
    return array()[at];
  }

  Reduction<double> sum;
  Reduction<std::int64_t> tally;
  double state, mean = 0, spread = 0;
  std::int64_t count = 0;
  std::vector<double> received;
};

struct Outcome {
  std::vector<double> states;
  std::int64_t count;
  bool operator==(const Outcome&) const = default;
};

template <class Map>
Outcome simulate(int pes, Map map) {
  Runtime rt({.pes = pes, .pin = false});
  const Array<Node> nodes = rt.create_array<Node>(shape, map);
  const Reduction<double> sum(nodes, 2, deliver_at<&Node::total>(nodes));
  const Reduction<std::int64_t> tally(nodes, 1, deliver_to<&Node::counted>(nodes[{0, 0, 0}]));
  for (int i = 0; i < nodes.size(); ++i)
    nodes.object_at(i).sum = sum, nodes.object_at(i).tally = tally;
  nodes.broadcast<&Node::life>();
  rt.run_until_quiescent();
  Outcome outcome{{}, nodes.object({0, 0, 0}).count};
  for (int i = 0; i < nodes.size(); ++i) {
    outcome.states.push_back(nodes.object_at(i).state);
    EXPECT_TRUE(nodes.object_at(i).mailbox().empty());
  }
  return outcome;
}

class Determinism : public testing::TestWithParam<int> {};

TEST_P(Determinism, SameBitsUnderAnyMap) {
  const int pes = GetParam();
  static const Outcome reference = simulate(1, block_map<3>(shape, 1));
  // 60 elements add up to 1770 (s + 1) in step s.
  EXPECT_EQ(reference.count, 1770 * steps * (steps + 1) / 2);
  EXPECT_EQ(simulate(pes, block_map<3>(shape, pes)), reference);
  EXPECT_EQ(simulate(pes, round_robin_map<3>(shape, pes)), reference);
  EXPECT_EQ(simulate(pes, hashed_map<3>(shape, pes, 17)), reference);
}

INSTANTIATE_TEST_SUITE_P(All, Determinism, all_pes(), pes_name);

class Summand : public Chare<Summand, 1> {
 public:
  void give(std::int64_t step) {
    // The values are of very different sizes, so that another order would change the last bits.
    const double x =
        std::ldexp(std::sin(0.1 + ordinal()), (ordinal() * 7 + static_cast<int>(step)) % 60);
    sum.contribute(*this, step, {x});
    least.contribute(*this, step, {x, -x});
  }
  void sums(Ref<const ReductionMessage<double>> m) {
    bits[static_cast<std::size_t>(m->step)] = m->values()[0];
  }
  void extremes(Ref<const ReductionMessage<double>> m) {
    low = m->values()[0];
    high = -m->values()[1];
  }
  Reduction<double> sum, least;
  std::vector<double> bits = std::vector<double>(20);
  double low = 0, high = 0;
};

// Numbers of members that do not fill the tree's nodes of 8.
class Sums : public testing::TestWithParam<int> {};

TEST_P(Sums, AreBitwiseEqualAndRight) {
  for (int members : {1, 2, 7, 8, 9, 63, 64, 65, 200}) {
    std::vector<double> reference;
    for (int pes : {1, GetParam()}) {
      Runtime rt({.pes = pes, .pin = false});
      const auto all = rt.create_array<Summand>({members}, hashed_map<1>({members}, pes, 3));
      const Reduction<double> sum(all, 1, deliver_to<&Summand::sums>(all[{0}]));
      const Reduction<double> least(all, 2, deliver_to<&Summand::extremes>(all[{members - 1}]),
                                    Combine::min);
      for (int i = 0; i < members; ++i) all.object_at(i).sum = sum, all.object_at(i).least = least;
      for (std::int64_t step = 0; step < 20; ++step) all.broadcast<&Summand::give>(step);
      rt.run_until_quiescent();
      if (pes == 1 && reference.empty()) reference = all.object_at(0).bits;
      EXPECT_EQ(all.object_at(0).bits, reference) << members << " members on " << pes;
      EXPECT_LE(all.object_at(members - 1).low, all.object_at(members - 1).high);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Sums, all_pes(), pes_name);

}  // namespace
}  // namespace fg
