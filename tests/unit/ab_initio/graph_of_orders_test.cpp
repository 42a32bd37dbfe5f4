// SPDX-License-Identifier: BSD-3-Clause
//
// The graph of an iteration or a step, beside the messages and the work that are counted for
// `finegrain map`.
#include "ab_initio/prediction/graph_of_orders.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <ostream>
#include <span>
#include <utility>
#include <vector>

#include "ab_initio/places/object_numbers.hpp"
#include "ab_initio/places/order_counter.hpp"
#include "ab_initio/places/order_visitor.hpp"
#include "ab_initio/places/order_walk.hpp"
#include "ab_initio/places/traffic_phases.hpp"
#include "runs/prediction/event_model.hpp"
#include "support/ab_initio/gth_jobs.hpp"
#include "support/small_machines.hpp"

namespace fg::test {
namespace {

using namespace fg::ab_initio;

constexpr TimesOfWork times{.operation = {1, 2, 4, 16, 32}, .message = 8};

ab_initio::Job divided(DynamicsKind dynamics, IonMethod ions) {
  ab_initio::Job job = gth_job("PBE");
  job.division = {
      .state_grain = 2, .wave_parts = 3, .density_parts = 6, .pair_groups = 2, .tile_grain = 3};
  job.nonlocal.method = job.local.method = ions;
  job.dynamics.kind = dynamics;
  return job;
}

/// A job and its objects on processes with a node for each two.
struct Placed {
  Placed(ab_initio::Job of, int processes, int pes)
      : job(std::move(of)), layout{.processes = processes, .pes_a_process = pes, .hosts = {}} {
    for (int process = 0; process < processes; ++process) layout.hosts.push_back(process / 2);
  }
  OrderCounts orders() const {
    return job.dynamics.kind == DynamicsKind::none ? orders_of_iteration(tiles)
                                                   : orders_of_step(job, tiles);
  }
  StepGraph graph() const {
    return graph_of_orders(orders(), job, basis, tiles, places, layout, times);
  }

  const ab_initio::Job job;
  topology::PeLayout layout;
  const Basis basis{job};
  const MatrixTiles tiles{basis.orbitals(), job.division.tile_grain};
  const ObjectPlaces places{basis, tiles, ArrayMaps("cost", ObjectPlaces::names), layout};
};

struct Case {
  const char* name;
  DynamicsKind dynamics;
  IonMethod ions;
};
std::ostream& operator<<(std::ostream& out, const Case& one) {
  return out << one.name;
}

class GraphOfOrders : public ::testing::TestWithParam<Case> {
 protected:
  static Placed placed(int processes, int pes) {
    return {divided(GetParam().dynamics, GetParam().ions), processes, pes};
  }
};

/// The work of all orders.
class Sums final : public OrderVisitor {
 public:
  void send(std::size_t, int, int, std::size_t, double) override {}
  void multicast(std::size_t, int, std::span<const int>, std::size_t) override {}
  void along_tree(std::size_t, int, std::span<const int>, std::size_t) override {}
  void reduce(std::size_t, std::span<const int>, std::size_t, std::span<const int>, Sum) override {}
  void go_on(std::span<const int>) override {}
  void compute(int, Work kind, double operations) override {
    const auto number = static_cast<std::size_t>(kind);
    work += operations * times.operation[number];
  }
  double work = 0;
};

template <class Visitor>
void follow_all(const Placed& placed, const ObjectNumbers& at, Visitor& visitor) {
  OrderWalk walk(placed.job, placed.basis, placed.tiles, at, visitor, usual_rounds);
  for (const auto& [order, count] : placed.orders())
    if (order != CountedOrder::round && count >= 0.5) walk.follow(order);
}

TEST_P(GraphOfOrders, HasTheMessagesAndBytesThatAreCounted) {
  const Placed on = placed(5, 2);
  double messages = 0, bytes = 0;
  for (const TaskMessage& message : on.graph().messages) {
    if (message.to_pe < 0) continue;
    ++messages;
    bytes += static_cast<double>(message.bytes);
  }
  const ObjectNumbers at(on.basis, on.places);
  OrderCounter counter(phases_of_traffic.size(), at.pes(), on.layout);
  follow_all(on, at, counter);
  double counted_messages = 0, counted_bytes = 0;
  for (std::size_t phase = 0; phase < phases_of_traffic.size(); ++phase)
    for (const Way& way : counter.take(phase)) {
      counted_messages += way.messages;
      counted_bytes += way.bytes;
    }
  EXPECT_GT(messages, 0);
  EXPECT_DOUBLE_EQ(messages, counted_messages);
  EXPECT_DOUBLE_EQ(bytes, counted_bytes);
}

TEST_P(GraphOfOrders, HasTheWorkThatIsCounted) {
  const Placed on = placed(3, 2);
  const StepGraph graph = on.graph();
  std::int64_t work = 0;
  for (const StepTask& task : graph.tasks) work += task.work;
  const ObjectNumbers at(on.basis, on.places);
  Sums sums;
  follow_all(on, at, sums);
  EXPECT_GT(work, 0);
  // Each task has whole picoseconds.
  EXPECT_NEAR(static_cast<double>(work), sums.work, 2.0 * static_cast<double>(graph.tasks.size()));
  for (const StepTarget& target : graph.targets) EXPECT_EQ(target.work, 8);
}

TEST_P(GraphOfOrders, LeavesNoTaskWithoutAMessageAndNoStepWithoutAnEnd) {
  for (const auto& [processes, pes] : {std::pair{1, 1}, std::pair{1, 3}, std::pair{4, 1}}) {
    const Placed on = placed(processes, pes);
    const StepGraph graph = on.graph();
    std::vector<int> awaited(graph.tasks.size());
    for (const StepTarget& target : graph.targets) ++awaited[target.task];
    for (std::size_t task = 0; task < graph.tasks.size(); ++task)
      EXPECT_EQ(awaited[task], graph.tasks[task].awaits);
    // The leader's last task has become its first one.
    EXPECT_EQ(std::ranges::count(awaited, 0), 1);
    EXPECT_GT(awaited[0], 0);
    std::vector<int> nodes(static_cast<std::size_t>(processes));
    std::iota(nodes.begin(), nodes.end(), 0);
    const auto machine = ring(processes);
    const StepPrediction found = run_events(graph, on.layout, *machine, nodes);
    const auto longest = *std::ranges::max_element(graph.tasks, {}, &StepTask::work);
    EXPECT_GE(found.step, longest.work);
    if (processes > 1 || pes > 1) continue;
    // One PE does one thing after the other.
    std::int64_t all = 0;
    for (const StepTask& task : graph.tasks) all += task.work;
    for (const StepTarget& target : graph.targets) all += target.work;
    EXPECT_EQ(found.step, all);
    EXPECT_EQ(found.messages, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Jobs, GraphOfOrders,
    ::testing::Values(Case{"search", DynamicsKind::none, IonMethod::exact},
                      Case{"search_with_splines", DynamicsKind::none, IonMethod::splines},
                      Case{"dynamics", DynamicsKind::car_parrinello, IonMethod::exact},
                      Case{"dynamics_with_splines", DynamicsKind::car_parrinello,
                           IonMethod::splines}),
    ::testing::PrintToStringParamName());

}  // namespace
}  // namespace fg::test
