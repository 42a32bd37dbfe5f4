// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/prediction/graph_of_orders.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "ab_initio/places/message_bytes.hpp"
#include "ab_initio/places/object_numbers.hpp"
#include "ab_initio/places/order_visitor.hpp"
#include "ab_initio/places/order_walk.hpp"
#include "ab_initio/places/ways_of_objects.hpp"
#include "base/error.hpp"
#include "runtime/trees/reduction_tree.hpp"

namespace fg::ab_initio {

namespace {

constexpr std::uint32_t none = ~std::uint32_t{0};

std::size_t at(int number) {
  return static_cast<std::size_t>(number);
}

class Builder final : public OrderVisitor {
 public:
  Builder(const std::vector<int>& pes, const topology::PeLayout& layout, const TimesOfWork& times)
      : pes_(pes), layout_(layout), times_(times), now_(pes.size(), none), next_(pes.size(), none) {
    hosts_.reserve(at(layout.processes));
    for (int process = 0; process < layout.processes; ++process)
      hosts_.push_back(layout.host_of(process));
    graph_.starters = 1;
    now_[ObjectNumbers::leader] = add_task(pes_[ObjectNumbers::leader]);
  }

  void send(std::size_t, int from, int to, std::size_t bytes, double count) override {
    const auto times = static_cast<int>(std::lround(count));
    for (int i = 0; i < times; ++i) add_message(now(from), bytes, std::span(&to, 1), false);
  }

  void multicast(std::size_t, int from, std::span<const int> members, std::size_t bytes) override {
    multicast_from(now(from), members, bytes, false);
  }

  void along_tree(std::size_t, int root, std::span<const int> members, std::size_t bytes) override {
    sort_by_process(members);
    const std::vector<int> processes = processes_;
    const std::vector<std::vector<int>> members_of = members_of_;
    const int first = process_of(root);
    const HostGroups groups(processes, hosts_);
    const MulticastTree tree(groups, first, along_tree_spread.fan_out);
    std::vector<std::pair<int, std::uint32_t>> waiting{{first, now(root)}};
    const PiecesOfMessage pieces(bytes);
    while (!waiting.empty()) {
      const auto [process, task] = waiting.back();
      waiting.pop_back();
      const auto place = std::ranges::lower_bound(processes, process);
      if (place != processes.end() && *place == process)
        add_message(task, bytes, members_of[at(static_cast<int>(place - processes.begin()))], true);
      tree.for_each_child(process, [&](int child) {
        const std::uint32_t relay = add_task(child * layout_.pes_a_process);
        pieces.for_each([&](std::size_t of_piece, double count) {
          for (int i = 0; i < static_cast<int>(count); ++i)
            add_message_to(task, of_piece, std::span(&relay, 1), true);
        });
        waiting.emplace_back(child, relay);
      });
    }
  }

  void reduce(std::size_t, std::span<const int> members, std::size_t numbers,
              std::span<const int> to, Sum sum) override {
    std::vector<int> of_members;
    of_members.reserve(members.size());
    for (const int member : members) of_members.push_back(process_of(member));
    const ReductionTree tree = sum == Sum::exact ? ReductionTree::local_first(of_members, hosts_)
                                                 : ReductionTree::in_order(of_members, hosts_);
    const std::size_t bytes = reduction_bytes(numbers);
    std::vector<std::uint32_t> tasks(tree.nodes.size(), none);
    for (std::size_t i = 0; i < members.size(); ++i) {
      std::uint32_t& task = tasks[at(tree.leaves[i].node)];
      // Where a vector of the same process comes from, else on its first PE.
      const int process = tree.nodes[at(tree.leaves[i].node)].process;
      if (task == none)
        task = add_task(of_members[i] == process ? pes_[at(members[i])]
                                                 : process * layout_.pes_a_process);
      add_message_to(now(members[i]), bytes, std::span(&task, 1), true);
    }
    for (std::size_t node = 0; node < tree.nodes.size(); ++node) {
      const ReductionTree::Node& one = tree.nodes[node];
      if (tasks[node] == none) tasks[node] = add_task(one.process * layout_.pes_a_process);
      if (one.parent < 0) {
        multicast_from(tasks[node], to, bytes, true);
        continue;
      }
      std::uint32_t& parent = tasks[at(one.parent)];
      if (parent == none)
        parent = add_task(tree.nodes[at(one.parent)].process * layout_.pes_a_process);
      add_message_to(tasks[node], bytes, std::span(&parent, 1), true);
    }
  }

  void go_on(std::span<const int> objects) override {
    for (const int object : objects) {
      std::uint32_t& next = next_[at(object)];
      if (next == none) continue;
      // What an object did before is over when it goes on.
      if (const std::uint32_t before = now_[at(object)]; before != none)
        add_message_to(before, 0, std::span(&next, 1), false);
      now_[at(object)] = std::exchange(next, none);
    }
  }

  void compute(int object, Work kind, double operations) override {
    const auto number = static_cast<std::size_t>(kind);
    work_[now(object)][number] += operations * times_.operation[number];
  }

  /// The last task of the leader is the first of the next step.
  StepGraph take() {
    const std::uint32_t last = std::exchange(now_[ObjectNumbers::leader], none);
    for (StepTarget& target : graph_.targets)
      if (target.task == last) target.task = 0;
    graph_.tasks[0].awaits = std::exchange(graph_.tasks[last].awaits, 0);
    for (std::size_t i = 0; i < graph_.tasks.size(); ++i) {
      StepTask& task = graph_.tasks[i];
      const auto most = std::ranges::max_element(work_[i]);
      if (*most > 0) task.part = static_cast<TimePart>(most - work_[i].begin());
      for (const double part : work_[i]) task.work += std::llround(part);
      task.first_send = static_cast<std::uint32_t>(graph_.sends.size());
      task.sends = static_cast<std::uint32_t>(sends_[i].size());
      graph_.sends.insert(graph_.sends.end(), sends_[i].begin(), sends_[i].end());
    }
    return std::move(graph_);
  }

 private:
  int process_of(int object) const { return layout_.process_of(pes_[at(object)]); }

  /// What an object is doing.
  std::uint32_t now(int object) const {
    const std::uint32_t task = now_[at(object)];
    FG_CHECK(task != none);
    return task;
  }
  /// What an object will do when all is there that it awaits.
  std::uint32_t next(int object) {
    std::uint32_t& task = next_[at(object)];
    if (task == none) task = add_task(pes_[at(object)]);
    return task;
  }

  std::uint32_t add_task(int pe) {
    graph_.tasks.push_back({.pe = pe, .part = in_messages});
    sends_.emplace_back();
    work_.push_back({});
    return static_cast<std::uint32_t>(graph_.tasks.size() - 1);
  }

  /// To tasks of one process.
  void add_message_to(std::uint32_t from, std::size_t bytes, std::span<const std::uint32_t> tasks,
                      bool urgent) {
    const int pe = graph_.tasks[tasks.front()].pe;
    const bool stays = layout_.process_of(graph_.tasks[from].pe) == layout_.process_of(pe);
    sends_[from].push_back(static_cast<std::uint32_t>(graph_.messages.size()));
    graph_.messages.push_back({.bytes = stays ? 0 : static_cast<std::int64_t>(bytes),
                               .to_pe = stays ? -1 : pe,
                               .first_target = static_cast<std::uint32_t>(graph_.targets.size()),
                               .targets = static_cast<std::uint32_t>(tasks.size()),
                               .urgent = urgent});
    for (const std::uint32_t task : tasks) {
      graph_.targets.push_back({.task = task, .work = std::llround(times_.message)});
      ++graph_.tasks[task].awaits;
    }
  }
  void add_message(std::uint32_t from, std::size_t bytes, std::span<const int> objects,
                   bool urgent) {
    tasks_.clear();
    for (const int object : objects) tasks_.push_back(next(object));
    std::ranges::sort(tasks_);
    tasks_.erase(std::unique(tasks_.begin(), tasks_.end()), tasks_.end());
    add_message_to(from, bytes, tasks_, urgent);
  }

  void multicast_from(std::uint32_t from, std::span<const int> members, std::size_t bytes,
                      bool urgent) {
    sort_by_process(members);
    for (const std::vector<int>& here : members_of_) add_message(from, bytes, here, urgent);
  }

  /// Processes of members, ascending, and the members of each.
  void sort_by_process(std::span<const int> members) {
    processes_.clear();
    members_of_.clear();
    sorted_.assign(members.begin(), members.end());
    std::ranges::stable_sort(sorted_, {}, [&](int member) { return process_of(member); });
    for (const int member : sorted_) {
      if (processes_.empty() || processes_.back() != process_of(member)) {
        processes_.push_back(process_of(member));
        members_of_.emplace_back();
      }
      members_of_.back().push_back(member);
    }
  }

  const std::vector<int>& pes_;  // of objects
  const topology::PeLayout& layout_;
  const TimesOfWork times_;
  std::vector<int> hosts_;  // by process
  StepGraph graph_;
  std::vector<std::vector<std::uint32_t>> sends_;              // by task
  std::vector<std::array<double, kinds_of_arithmetic>> work_;  // by task and kind [ps]
  std::vector<std::uint32_t> now_, next_;  // tasks by object; none: it awaits nothing
  std::vector<int> sorted_, processes_;
  std::vector<std::vector<int>> members_of_;
  std::vector<std::uint32_t> tasks_;
};

}  // namespace

StepGraph graph_of_orders(const OrderCounts& orders, const Job& job, const Basis& basis,
                          const MatrixTiles& tiles, const ObjectPlaces& places,
                          const topology::PeLayout& layout, const TimesOfWork& times) {
  const ObjectNumbers numbers(basis, places);
  Builder builder(numbers.pes(), layout, times);
  OrderWalk walk(job, basis, tiles, numbers, builder, usual_rounds);
  for (const auto& [order, count] : orders)
    if (order != CountedOrder::round && count >= 0.5) walk.follow(order);
  return builder.take();
}

}  // namespace fg::ab_initio
