// SPDX-License-Identifier: BSD-3-Clause
#include "classical/prediction/graph_of_step.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <numeric>
#include <utility>

#include "runtime/exchange.hpp"
#include "runtime/places/maps.hpp"

namespace fg::classical {

namespace {

constexpr std::uint32_t none = ~std::uint32_t{0};

std::size_t at(int number) {
  return static_cast<std::size_t>(number);
}

class Builder {
 public:
  Builder(const PatchGrid& grid, const WorkEstimate& work, const FirstPlaces& places,
          const topology::PeLayout& layout, double core_speed)
      : grid_(grid), layout_(layout), speed_(core_speed) {
    for (std::size_t i = 0; i < step_arrays; ++i)
      if (const auto array = name_of(static_cast<StepArray>(i)); places.has(array))
        pes_[i] = places.pes_of(array);
    graph_.starters = grid.size();
    const bool mesh = !work.z_pencils.empty();
    graph_.pair_interval = work.pairs.front().interval;
    if (mesh) graph_.mesh_interval = work.z_pencils.front().interval;
    first_.fill(none);
    add_tasks(StepArray::patches, work.patches, in_patches, 1);
    reply_ = scaled((*work.patches.front().times)[of_message]);
    add_tasks(StepArray::pairs, work.pairs, in_pairs, 1);
    add_tasks(StepArray::bonded, work.bonded, in_bonded, 1);
    if (!mesh) return;
    add_tasks(StepArray::spreaders, work.spreaders, in_spreading, 2);
    add_tasks(StepArray::z_pencils, work.z_pencils, in_transforms, 2);
    add_tasks(StepArray::y_pencils, work.other_pencils, in_transforms, 2);
    add_tasks(StepArray::x_pencils, work.other_pencils, in_transforms, 1);
  }

  void add(const StepMessage& message) {
    if (message.transpose >= 0)
      add_piece(message);
    else if (message.collected)
      add_replies(message);
    else
      add_multicast(message);
  }

  StepGraph take() {
    order_sends();
    return std::move(graph_);
  }

 private:
  std::int64_t scaled(std::int64_t picoseconds) const {
    return std::llround(static_cast<double>(picoseconds) / speed_);
  }

  /// Spreading and gathering, and transforms forward and backward, are two tasks of an object, with
  /// half of its work each. First come the first tasks of all objects of the array.
  void add_tasks(StepArray array, const std::vector<ObjectWork>& work, TimePart part,
                 std::int64_t tasks) {
    const auto number = static_cast<std::size_t>(array);
    first_[number] = static_cast<std::uint32_t>(graph_.tasks.size());
    for (std::int64_t i = 0; i < tasks; ++i)
      for (std::size_t object = 0; object < work.size(); ++object) {
        const std::int64_t time = time_of(array, work[object]);
        graph_.tasks.push_back({.pe = pes_[number][object],
                                .part = part,
                                .work = scaled(time * (i + 1) / tasks - time * i / tasks)});
      }
    sends_.resize(graph_.tasks.size());
  }

  /// The time of a round [ps]. What a patch does for each message of pair forces comes with the
  /// message.
  static std::int64_t time_of(StepArray array, const ObjectWork& work) {
    WorkCounts counts = work.counts;
    if (array == StepArray::patches) counts[of_message] = 0;
    return std::inner_product(counts.begin(), counts.end(), work.times->begin(), std::int64_t{0});
  }

  /// The task that takes, or sends, a message.
  std::uint32_t task(StepArray array, int number, bool second = false) const {
    const auto which = static_cast<std::size_t>(array);
    return first_[which] +
           static_cast<std::uint32_t>(at(number) + (second ? pes_[which].size() : 0));
  }
  int process_of(std::uint32_t task) const { return layout_.process_of(graph_.tasks[task].pe); }

  std::uint32_t add_message(std::int64_t bytes, const StepMessage& of, bool between) {
    const auto number = static_cast<std::uint32_t>(graph_.messages.size());
    graph_.messages.push_back({.bytes = between ? bytes : 0,
                               .first_target = static_cast<std::uint32_t>(graph_.targets.size()),
                               .in_exchange = of.transpose >= 0,
                               .urgent = of.of_mesh(),
                               .of_pairs = of.of_pairs(),
                               .of_mesh = of.of_mesh()});
    return number;
  }
  /// Targets of a message are added one after the other, before the next message.
  void add_target(std::uint32_t message, std::uint32_t task, std::int64_t work, bool between) {
    TaskMessage& to = graph_.messages[message];
    if (between && to.targets == 0) to.to_pe = graph_.tasks[task].pe;
    ++to.targets;
    graph_.targets.push_back({.task = task, .work = work});
  }

  /// Whether a message is sent by the first task of an object or by the second, and likewise taken.
  static bool sent_by_second(const StepMessage& message) {
    return message.phase == mesh_forces || message.phase == potentials || message.transpose == 3;
  }
  static bool taken_by_second(const StepMessage& message) {
    return message.phase == potentials || message.transpose >= 2;
  }

  void await(std::uint32_t task, const StepMessage& message) {
    StepTask& one = graph_.tasks[task];
    // Only patches take part in steps without these forces as well.
    const bool patch = task < static_cast<std::uint32_t>(graph_.starters);
    ++(patch && message.of_mesh()    ? one.awaits_mesh
       : patch && message.of_pairs() ? one.awaits_pairs
                                     : one.awaits);
  }

  /// To each process once, or to each object of it.
  void add_multicast(const StepMessage& message) {
    const std::uint32_t from = task(message.from, message.one, sent_by_second(message));
    const int here = process_of(from);
    others_.clear();
    for (const int other : message.others) {
      const std::uint32_t to = task(message.to, other, taken_by_second(message));
      others_.push_back({process_of(to), to, other});
    }
    for_each_process([&](int process, std::span<const std::uint32_t> tasks,
                         std::span<const int> these) {
      const bool between = process != here;
      if (!between || tasks.size() >= message.fewest)
        return add_copies(message, from, tasks, between ? bytes_of(message, these) : 0, between);
      for (std::size_t i = 0; i < tasks.size(); ++i)
        add_copies(message, from, tasks.subspan(i, 1), bytes_of(message, these.subspan(i, 1)),
                   between);
    });
  }

  /// One message to the tasks of a process.
  void add_copies(const StepMessage& message, std::uint32_t from,
                  std::span<const std::uint32_t> tasks, std::int64_t bytes, bool between) {
    const std::uint32_t number = add_message(bytes, message, between);
    sends_[from].push_back(number);
    for (const std::uint32_t to : tasks) {
      add_target(number, to, 0, between);
      await(to, message);
    }
  }

  /// Replies from the process of the taker go to it. Replies in another process are added up there.
  /// Pair forces are added up on each PE before.
  void add_replies(const StepMessage& message) {
    const std::uint32_t to = task(message.to, message.one);
    const int here = process_of(to);
    others_.clear();
    for (const int other : message.others) {
      const std::uint32_t from = task(message.from, other);
      others_.push_back({process_of(from), from, other});
    }
    for_each_process(
        [&](int process, std::span<const std::uint32_t> tasks, std::span<const int> these) {
          if (message.phase == pair_forces)
            return add_pair_sums(message, process, tasks, these, to);
          if (process == here) return add_answers(message, tasks, to);
          if (tasks.size() < message.fewest) {
            for (std::size_t i = 0; i < tasks.size(); ++i)
              add_sum(message, bytes_of(message, these.subspan(i, 1)), tasks[i], to);
            return;
          }
          const std::uint32_t collector = add_collector(collector_pe(message, process));
          add_sum(message, bytes_of(message, these), collector, to);
          add_answers(message, tasks, collector, true);
        });
  }

  std::uint32_t add_collector(int pe) {
    const auto collector = static_cast<std::uint32_t>(graph_.tasks.size());
    graph_.tasks.push_back({.pe = pe, .part = in_messages});
    sends_.emplace_back();
    return collector;
  }

  /// The sums of the PEs of a process, and of the process if it is another one than the taker's.
  void add_pair_sums(const StepMessage& message, int process, std::span<const std::uint32_t> tasks,
                     std::span<const int> these, std::uint32_t to) {
    std::vector<std::pair<int, std::uint32_t>> of_pe;
    for (const std::uint32_t from : tasks) of_pe.emplace_back(graph_.tasks[from].pe, from);
    std::ranges::stable_sort(of_pe, {}, &std::pair<int, std::uint32_t>::first);
    std::vector<std::uint32_t> sums;
    for (std::size_t i = 0; i < of_pe.size(); ++i) {
      if (i == 0 || of_pe[i].first != of_pe[i - 1].first)
        sums.push_back(add_collector(of_pe[i].first));
      // The compute has added, which is part of its work.
      const std::uint32_t added = add_message(0, message, false);
      sends_[of_pe[i].second].push_back(added);
      add_target(added, sums.back(), 0, false);
      await(sums.back(), message);
    }
    if (process == process_of(to)) return add_answers(message, sums, to);
    if (sums.size() == 1) return add_sum(message, bytes_of(message, these), sums.front(), to);
    const std::uint32_t collector = add_collector(collector_pe(message, process));
    add_sum(message, bytes_of(message, these), collector, to);
    add_answers(message, sums, collector, true);
  }

  static std::int64_t bytes_of(const StepMessage& message, std::span<const int> these) {
    return static_cast<std::int64_t>(message.bytes_with(these));
  }

  /// From each of these, in one process.
  void add_answers(const StepMessage& message, std::span<const std::uint32_t> tasks,
                   std::uint32_t to, bool collected = false) {
    for (const std::uint32_t from : tasks) {
      const std::uint32_t answer = add_message(0, message, false);
      if (collected) graph_.messages[answer].urgent = true;
      sends_[from].push_back(answer);
      add_target(answer, to, collected ? reply_ : work_for(message), false);
      await(to, message);
    }
  }
  /// To another process.
  void add_sum(const StepMessage& message, std::int64_t bytes, std::uint32_t from,
               std::uint32_t to) {
    const std::uint32_t sum = add_message(bytes, message, true);
    sends_[from].push_back(sum);
    add_target(sum, to, work_for(message), true);
    await(to, message);
  }
  /// That comes with a message. The work of a pencil includes adding.
  std::int64_t work_for(const StepMessage& message) const {
    return message.phase == charges ? 0 : reply_;
  }

  /// As classical/assembly.cpp and forces/mesh/create_mesh.hpp place collectors.
  int collector_pe(const StepMessage& message, int process) const {
    const int pes = layout_.pes_a_process;
    const int number = message.phase == charges
                           ? message.one % pes
                           : maps::round_robin(grid_.unflat(message.one), grid_.shape(), pes);
    return process * pes + number;
  }

  /// Pieces between two processes go in one parcel until it is long.
  void add_piece(const StepMessage& message) {
    const std::uint32_t from = task(message.from, message.one, sent_by_second(message));
    const int other = message.others.front();
    const std::uint32_t to = task(message.to, other, taken_by_second(message));
    const std::pair way{process_of(from), process_of(to)};
    pieces_[at(message.transpose)].push_back({way, from, to, message});
  }

  struct Piece {
    std::pair<int, int> way;
    std::uint32_t from, to;
    StepMessage message;
  };

 public:
  /// After all messages have been added.
  void put_in_parcels() {
    for (auto& pieces : pieces_) {
      // By source, as the exchange goes through its plan.
      std::ranges::stable_sort(pieces, {}, &Piece::from);
      std::map<std::pair<int, int>, std::vector<std::vector<const Piece*>>> parcels;
      std::vector<std::pair<int, int>> order;
      std::map<std::pair<int, int>, std::int64_t> filled;
      for (const Piece& piece : pieces) {
        if (piece.way.first == piece.way.second) {
          const std::uint32_t number = add_message(0, piece.message, false);
          sends_[piece.from].push_back(number);
          add_target(number, piece.to, 0, false);
          await(piece.to, piece.message);
          continue;
        }
        auto& of_way = parcels[piece.way];
        std::int64_t& bytes = filled[piece.way];
        if (of_way.empty()) order.push_back(piece.way);
        const bool is_new_source = of_way.empty() || of_way.back().back()->from != piece.from;
        if (of_way.empty() || (is_new_source && bytes >= static_cast<std::int64_t>(
                                                             ExchangeSettings{}.parcel_bytes))) {
          of_way.emplace_back();
          bytes = 0;
        }
        of_way.back().push_back(&piece);
        bytes += static_cast<std::int64_t>(piece.message.bytes);
      }
      for (const auto& way : order)
        for (const auto& parcel : parcels[way]) add_parcel(parcel);
      pieces.clear();
    }
  }

 private:
  void add_parcel(const std::vector<const Piece*>& parcel) {
    std::int64_t bytes = 0;
    std::vector<std::uint32_t> sources, takers;
    for (const Piece* const piece : parcel) {
      bytes += static_cast<std::int64_t>(piece->message.bytes);
      sources.push_back(piece->from);
      takers.push_back(piece->to);
    }
    for (auto* const tasks : {&sources, &takers}) {
      std::ranges::sort(*tasks);
      tasks->erase(std::unique(tasks->begin(), tasks->end()), tasks->end());
    }
    const std::uint32_t number = add_message(bytes, parcel.front()->message, true);
    graph_.messages[number].feeders = static_cast<std::int32_t>(sources.size());
    for (const std::uint32_t from : sources) sends_[from].push_back(number);
    for (const std::uint32_t to : takers) {
      add_target(number, to, 0, true);
      await(to, parcel.front()->message);
    }
  }

  /// Calls visit(process, tasks, objects) for the processes of `others_`, in the order of their
  /// first task. This order does not depend on how processes are numbered.
  template <class Visit>
  void for_each_process(const Visit& visit) {
    while (!others_.empty()) {
      const int process = others_.front().process;
      of_process_.clear();
      these_.clear();
      std::erase_if(others_, [&](const Other& other) {
        if (other.process != process) return false;
        of_process_.push_back(other.task);
        these_.push_back(other.object);
        return true;
      });
      visit(process, of_process_, these_);
    }
  }

  /// Urgent messages leave first.
  void order_sends() {
    for (std::size_t i = 0; i < sends_.size(); ++i) {
      std::ranges::stable_sort(sends_[i], [&](std::uint32_t a, std::uint32_t b) {
        return graph_.messages[a].urgent && !graph_.messages[b].urgent;
      });
      graph_.tasks[i].first_send = static_cast<std::uint32_t>(graph_.sends.size());
      graph_.tasks[i].sends = static_cast<std::uint32_t>(sends_[i].size());
      graph_.sends.insert(graph_.sends.end(), sends_[i].begin(), sends_[i].end());
    }
    sends_.clear();
  }

  const PatchGrid& grid_;
  const topology::PeLayout& layout_;
  const double speed_;
  StepGraph graph_;
  std::array<std::vector<int>, step_arrays> pes_;
  std::array<std::uint32_t, step_arrays> first_{};  // task of an array
  std::vector<std::vector<std::uint32_t>> sends_;   // by task
  std::array<std::vector<Piece>, 4> pieces_;
  std::int64_t reply_ = 0;  // a patch's time for a message of pair forces
  struct Other {
    int process;
    std::uint32_t task;
    int object;
  };
  std::vector<Other> others_;
  std::vector<std::uint32_t> of_process_;
  std::vector<int> these_;
};

}  // namespace

StepGraph graph_of_step(const System& system, const PatchGrid& grid, const StepAtoms& atoms,
                        const WorkEstimate& work, const FirstPlaces& places,
                        const topology::PeLayout& layout, double core_speed) {
  Builder builder(grid, work, places, layout, core_speed);
  for_each_message(system, grid, atoms, work,
                   [&](const StepMessage& message) { builder.add(message); });
  builder.put_in_parcels();
  return builder.take();
}

}  // namespace fg::classical
