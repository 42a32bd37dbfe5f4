// SPDX-License-Identifier: BSD-3-Clause
#include "runs/prediction/event_model.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <queue>
#include <utility>

#include "base/error.hpp"
#include "runs/prediction/link_queues.hpp"

namespace fg {

namespace {

// The first steps are not timed, so that PEs have got out of step as much as they will. The counted
// steps are. Both are in whole rounds of the mesh. One more step follows, because some objects
// begin the next step before others have ended the last one that is counted.
constexpr std::int64_t first_steps = 2, counted_steps = 2, more_steps = 1;

// Limits of the runtime (runtime/scheduler.cpp, transport/mpi/mpi_packet.hpp). A PE drives the
// network after so many messages, after fewer if it has sent something, or after this time [ps].
// Then come the size of a packet between processes, and the heads of a packet and of each of its
// records. The last one is the largest number of messages whose bytes follow a packet.
constexpr int messages_per_poll = 16, messages_to_combine = 4;
constexpr std::int64_t drive_interval = 50'000'000;
constexpr std::int64_t packet_bytes = 8192, packet_head = 8, record_head = 64;
constexpr int most_followers = 4;

constexpr std::uint32_t none = ~std::uint32_t{0};

std::int64_t in_rounds(std::int64_t steps, std::int64_t interval) {
  return (steps + interval - 1) / interval * interval;
}

/// A queue of numbers in one vector.
template <class T>
class Fifo {
 public:
  bool empty() const noexcept { return head_ == items_.size(); }
  void push(const T& item) { items_.push_back(item); }
  T pop() {
    const T item = items_[head_++];
    if (head_ == items_.size()) {
      items_.clear();
      head_ = 0;
    }
    return item;
  }

 private:
  std::vector<T> items_;
  std::size_t head_ = 0;
};

class Model {
 public:
  Model(const StepGraph& graph, const topology::PeLayout& layout, const topology::Machine& machine,
        std::span<const int> node_of_process)
      : graph_(graph),
        layout_(layout),
        machine_(machine),
        nodes_(node_of_process),
        links_(machine),
        pes_(static_cast<std::size_t>(layout.pes())),
        awaited_(graph.tasks.size()),
        missing_feeders_(graph.messages.size()),
        cause_(graph.messages.size()),
        pieces_(graph.messages.size()),
        step_of_(static_cast<std::size_t>(graph.starters)) {
    const topology::Processor& processor = machine.processor();
    send_ = std::llround(ps_in_s * processor.send);
    receive_ = std::llround(ps_in_s * processor.receive);
    const std::int64_t interval = std::max(graph.pair_interval, graph.mesh_interval);
    // Without pair forces on some steps tasks are ahead of others, so a round does not end at once.
    const std::int64_t rounds = graph.pair_interval > 1 ? interval : 1;
    first_ = in_rounds(first_steps * rounds, interval);
    counted_ = in_rounds(counted_steps * rounds, interval);
    ends_.assign(static_cast<std::size_t>(first_ + counted_ + more_steps), 0);
    ending_.assign(ends_.size(), none);
    left_.assign(ends_.size(), graph.starters);
  }

  StepPrediction run() {
    for (std::size_t i = 0; i < awaited_.size(); ++i) awaited_[i] = graph_.tasks[i].awaits;
    for (std::size_t i = 0; i < missing_feeders_.size(); ++i)
      missing_feeders_[i] = graph_.messages[i].feeders;
    for (int task = 0; task < graph_.starters; ++task)
      queue(1, {.task = static_cast<std::uint32_t>(task), .cause = none, .is_whole = true});
    for (std::size_t pe = 0; pe < pes_.size(); ++pe) work_on(static_cast<int>(pe), 0);
    while (!events_.empty()) {
      const Event event = events_.top();
      events_.pop();
      handle(event);
    }
    for (const int starters : left_) FG_CHECK(starters == 0);
    return result();
  }

 private:
  static constexpr double ps_in_s = 1e12;

  enum class Kind : std::uint8_t { arrival, taken, done, free };
  struct Event {
    std::int64_t time;
    std::uint32_t number;  // of a message, or of the task that a PE works for
    std::int32_t pe;
    Kind kind;

    /// The later one comes last.
    bool operator<(const Event& other) const noexcept {
      if (time != other.time) return time > other.time;
      if (kind != other.kind) return kind > other.kind;
      return number > other.number;
    }
  };
  /// What processors send and take for a message: none if it is in another's packet.
  struct Pieces {
    std::int32_t number = 0;
    std::int64_t bytes = 0;
  };
  /// What a PE has to do: a task, or first to handle a message of it.
  struct Item {
    std::uint32_t task;
    std::uint32_t cause;        // a link of the chain
    std::int64_t handling = 0;  // of a message of it [ps]
    bool is_whole = false;      // it has all its messages, and this is none
  };
  struct Pe {
    bool busy = false;
    bool begins = false;        // the task it works for has begun
    std::uint32_t last = none;  // what it did last, as a link of the chain
    std::int64_t last_begin = 0, last_end = 0;
    TimePart last_part{};
    Fifo<std::uint32_t> inbox;
    std::vector<std::uint32_t> outbox;  // messages that leave when the network is driven
    bool driving = false;               // the network: first it sends, then it takes in
    std::int64_t driven = 0;            // when, last [ps]
    int until_poll = messages_per_poll;
    std::array<Fifo<Item>, 2> lanes;  // urgent, others
    TimeOfParts worked{};
  };
  /// Something that a PE did, and what it waited for before.
  struct ChainLink {
    std::int64_t begin, end;
    std::uint32_t before;
    TimePart part;
  };

  std::uint32_t add_link(Pe& pe, std::uint32_t cause, std::int64_t begin, std::int64_t end,
                         TimePart part) {
    // What began as soon as the PE was free waited for the PE.
    const std::uint32_t before = pe.last != none && pe.last_end == begin ? pe.last : cause;
    if (counting_) pe.worked[part] += end - begin;
    pe.last = none;
    pe.last_begin = begin;
    pe.last_end = end;
    pe.last_part = part;
    if (keeps_chain_) {
      chain_.push_back({begin, end, before, part});
      pe.last = static_cast<std::uint32_t>(chain_.size() - 1);
    }
    return pe.last;
  }

  void queue(std::size_t lane, const Item& item) {
    pes_[static_cast<std::size_t>(graph_.tasks[item.task].pe)].lanes[lane].push(item);
  }
  bool is_starter(std::uint32_t task) const noexcept {
    return task < static_cast<std::uint32_t>(graph_.starters);
  }

  void handle(const Event& event) {
    Pe& pe = pes_[static_cast<std::size_t>(event.pe)];
    if (event.kind == Kind::arrival) {
      pe.inbox.push(event.number);
      if (pe.busy) return;
    } else if (event.kind == Kind::taken) {
      deliver(graph_.messages[event.number], pe.last, event.time);
    } else if (event.kind == Kind::done && pe.begins) {
      finish(event.number, event.pe, event.time);
    }
    pe.busy = false;
    work_on(event.pe, event.time);
  }

  /// Chooses what an idle PE does next. It drives the network if that is due, or if there is
  /// nothing else to do.
  void work_on(int number, std::int64_t time) {
    Pe& pe = pes_[static_cast<std::size_t>(number)];
    for (;;) {
      const bool nothing = pe.lanes[0].empty() && pe.lanes[1].empty();
      pe.driving = pe.driving || nothing || time - pe.driven >= drive_interval;
      if (pe.driving) {
        if (!pe.outbox.empty()) return send_all(number, pe, time);
        if (!pe.inbox.empty()) return take_in(number, pe, time);
        pe.driving = false;
        pe.driven = time;
        pe.until_poll = messages_per_poll;
      }
      if (nothing) return;
      const Item item = pe.lanes[pe.lanes[0].empty() ? 1 : 0].pop();
      pe.driving = --pe.until_poll <= 1;  // before the next one
      if (begin(number, pe, item, time)) return;
    }
  }

  /// Messages for the same process travel in packets; the bytes of one that does not fit follow its
  /// packet.
  void send_all(int number, Pe& pe, std::int64_t time) {
    std::vector<std::uint32_t> messages;
    messages.swap(pe.outbox);
    std::vector<int> processes;  // in the order of their first messages
    for (const std::uint32_t id : messages)
      if (const int process = layout_.process_of(graph_.messages[id].to_pe);
          std::ranges::find(processes, process) == processes.end())
        processes.push_back(process);
    std::int64_t sent = time;
    for (const int process : processes) {
      std::int64_t filled = packet_bytes;
      int followers = 0;
      for (const std::uint32_t id : messages) {
        const TaskMessage& message = graph_.messages[id];
        if (layout_.process_of(message.to_pe) != process) continue;
        const bool fits = packet_head + record_head + message.bytes <= packet_bytes;
        const std::int64_t record = record_head + (fits ? message.bytes : 0);
        const bool opens = filled + record > packet_bytes || followers == most_followers;
        if (opens) {
          close_packet();
          filled = packet_head;
          followers = 0;
        }
        filled += record;
        followers += fits ? 0 : 1;
        pieces_[id] = {.number = static_cast<std::int32_t>(opens) + (fits ? 0 : 1),
                       .bytes = message.bytes + record_head + (opens ? packet_head : 0)};
        sent = send(number, pe, id, sent);
      }
      close_packet();
    }
    pe.busy = true;
    events_.push({sent, messages.front(), number, Kind::free});
  }

  /// What is in a packet comes when all of it is there.
  void close_packet() {
    std::int64_t there = 0;
    for (const auto& [id, arrival] : packet_)
      if (pieces_[id].bytes <= packet_bytes) there = std::max(there, arrival);
    for (const auto& [id, arrival] : packet_)
      events_.push({std::max(there, arrival), id, graph_.messages[id].to_pe, Kind::arrival});
    packet_.clear();
  }

  std::int64_t send(int number, Pe& pe, std::uint32_t id, std::int64_t time) {
    const int to = graph_.messages[id].to_pe;
    const std::int64_t sent = time + at_one_end(pieces_[id], send_);
    cause_[id] = add_link(pe, cause_[id], time, sent, in_messages);
    if (counting_) {
      ++messages_;
      bytes_ += pieces_[id].bytes;
    }
    packet_.emplace_back(id, links_.arrival(node_of(number), node_of(to), pieces_[id].bytes, sent));
    return sent;
  }

  void take_in(int number, Pe& pe, std::int64_t time) {
    const std::uint32_t message = pe.inbox.pop();
    const std::int64_t end = time + at_one_end(pieces_[message], receive_);
    add_link(pe, cause_[message], time, end, in_messages);
    pe.busy = true;
    events_.push({end, message, number, Kind::taken});
  }

  std::int64_t at_one_end(const Pieces& pieces, std::int64_t of_piece) const {
    return pieces.number * of_piece +
           std::llround(ps_in_s * machine_.processor().byte * static_cast<double>(pieces.bytes));
  }

  /// Returns false if it takes no time.
  bool begin(int number, Pe& pe, const Item& item, std::int64_t time) {
    const StepTask& task = graph_.tasks[item.task];
    std::int64_t end = time;
    std::uint32_t cause = item.cause;
    if (item.handling > 0) {
      end += item.handling;
      cause = add_link(pe, cause, time, end, in_messages);
    }
    pe.begins = item.is_whole || --awaited_[item.task] == 0;
    if (pe.begins) {
      add_link(pe, cause, end, end + task.work, task.part);
      end += task.work;
    } else if (item.handling == 0) {
      return false;
    }
    pe.busy = true;
    events_.push({end, item.task, number, Kind::done});
    return true;
  }

  /// The task is over; it hands out its messages.
  void finish(std::uint32_t number, int pe_number, std::int64_t time) {
    const StepTask& task = graph_.tasks[number];
    Pe& pe = pes_[static_cast<std::size_t>(pe_number)];
    bool pairs = true, mesh = true;
    if (is_starter(number)) {
      std::int64_t& step = step_of_[number];
      end_step(step, pe.last, time);
      if (++step == static_cast<std::int64_t>(ends_.size())) return;
      pairs = step % graph_.pair_interval == 0;
      mesh = step % graph_.mesh_interval == 0;
    }
    awaited_[number] =
        task.awaits + (pairs ? task.awaits_pairs : 0) + (mesh ? task.awaits_mesh : 0);
    // A first task that waits for nothing goes on to its next step.
    if (awaited_[number] == 0) queue(1, {.task = number, .cause = pe.last, .is_whole = true});
    for (std::uint32_t i = 0; i < task.sends; ++i) {
      const std::uint32_t id = graph_.sends[task.first_send + i];
      const TaskMessage& message = graph_.messages[id];
      if ((message.of_pairs && !pairs) || (message.of_mesh && !mesh)) continue;
      if (--missing_feeders_[id] > 0) continue;
      missing_feeders_[id] = message.feeders;
      if (message.to_pe < 0) {
        deliver(message, pe.last, time);
      } else {
        cause_[id] = pe.last;
        pe.outbox.push_back(id);
        // The network is driven soon: before the next message if this one is urgent.
        pe.until_poll = std::min(pe.until_poll, message.urgent ? 1 : messages_to_combine);
        pe.driving = pe.driving || pe.until_poll <= 1;
      }
    }
  }

  static std::size_t at(std::int64_t step) { return static_cast<std::size_t>(step); }

  int node_of(int pe) const { return nodes_[static_cast<std::size_t>(layout_.process_of(pe))]; }

  /// To the tasks of a process, some of them on other PEs.
  void deliver(const TaskMessage& message, std::uint32_t cause, std::int64_t time) {
    for (std::uint32_t i = 0; i < message.targets; ++i) {
      const StepTarget& target = graph_.targets[message.first_target + i];
      const std::size_t lane = message.urgent ? 0 : 1;
      if (!message.in_exchange)
        queue(lane, {.task = target.task, .cause = cause, .handling = target.work});
      else if (--awaited_[target.task] == 0)  // the exchange calls its target once
        queue(lane, {.task = target.task, .cause = cause, .is_whole = true});
      else
        continue;
      const int there = graph_.tasks[target.task].pe;
      if (!pes_[static_cast<std::size_t>(there)].busy) work_on(there, time);
    }
  }

  void end_step(std::int64_t step, std::uint32_t last, std::int64_t time) {
    const auto number = static_cast<std::size_t>(step);
    ends_[number] = time;  // times never decrease
    ending_[number] = last;
    if (--left_[number] > 0) return;
    keeps_chain_ = step + 2 >= first_ && step + 1 < first_ + counted_;
    counting_ = step + 1 >= first_ && step + 1 < first_ + counted_;
    if (step + 1 == first_) {
      links_.start_counting();
      count_rests(time, 1);
    }
    if (step + 1 == first_ + counted_) {
      busy_ = links_.busy();
      count_rests(time, -1);
    }
  }

  /// Counts, for each PE, the part after a time of what it is doing.
  void count_rests(std::int64_t time, int sign) {
    for (Pe& pe : pes_) {
      const std::int64_t rest = pe.last_end - std::max(pe.last_begin, time);
      if (rest > 0) pe.worked[pe.last_part] += sign * rest;
    }
  }

  StepPrediction result() const {
    StepPrediction found;
    const std::int64_t begin = ends_[at(first_ - 1)], end = ends_[at(first_ + counted_ - 1)];
    found.step = (end - begin) / counted_;
    add_pes(found);
    add_path(found, begin);
    const std::int64_t whole = end - begin;
    if (!busy_.empty()) {
      const auto heaviest = std::ranges::max_element(busy_);
      found.busiest_link = static_cast<int>(heaviest - busy_.begin());
      found.busy_share =
          whole > 0 ? static_cast<double>(*heaviest) / static_cast<double>(whole) : 0;
    }
    found.messages = static_cast<double>(messages_) / static_cast<double>(counted_);
    found.bytes = static_cast<double>(bytes_) / static_cast<double>(counted_);
    for (const StepTask& task : graph_.tasks)
      if (task.work > found.longest_task) {
        found.longest_task = task.work;
        found.part_of_longest = task.part;
      }
    return found;
  }

  void add_pes(StepPrediction& found) const {
    TimeOfParts sums{};
    std::int64_t most = -1;
    for (std::size_t pe = 0; pe < pes_.size(); ++pe) {
      const TimeOfParts& worked = pes_[pe].worked;
      for (std::size_t part = 0; part < sums.size(); ++part) sums[part] += worked[part];
      const std::int64_t all = std::accumulate(worked.begin(), worked.end(), std::int64_t{0});
      if (all <= most) continue;
      most = all;
      found.busiest_pe = static_cast<int>(pe);
      found.most = worked;
    }
    const auto pes = static_cast<std::int64_t>(pes_.size());
    for (std::int64_t& part : sums) part /= pes * counted_;
    for (std::int64_t& part : found.most) part /= counted_;
    found.mean = sums;
    for (TimeOfParts* const parts : {&found.mean, &found.most})
      (*parts)[in_waits] =
          found.step - std::accumulate(parts->begin(), parts->end(), std::int64_t{0});
  }

  /// Back from the end of the last step.
  void add_path(StepPrediction& found, std::int64_t begin) const {
    std::int64_t until = ends_[at(first_ + counted_ - 1)];
    for (std::uint32_t place = ending_[at(first_ + counted_ - 1)];
         place != none && until > begin;) {
      const ChainLink& link = chain_[place];
      // From the end of what was before to the beginning of what waited for it.
      found.path[in_links] += until - std::max(link.end, begin);
      if (link.end > begin) found.path[link.part] += link.end - std::max(link.begin, begin);
      until = link.begin;
      place = link.before;
    }
    found.path[in_waits] += std::max<std::int64_t>(until - begin, 0);
    for (std::int64_t& part : found.path) part /= counted_;
  }

  const StepGraph& graph_;
  const topology::PeLayout& layout_;
  const topology::Machine& machine_;
  const std::span<const int> nodes_;
  LinkQueues links_;
  std::vector<Pe> pes_;
  std::vector<std::int32_t> awaited_;  // messages, by task
  std::vector<std::int32_t> missing_feeders_;
  std::vector<std::pair<std::uint32_t, std::int64_t>> packet_;  // messages, and when they come
  std::vector<Pieces> pieces_;                                  // of messages on their way
  std::vector<std::uint32_t> cause_;                            // of messages on their way
  std::vector<std::int64_t> step_of_;                           // of starters
  std::priority_queue<Event> events_;
  std::vector<ChainLink> chain_;
  std::int64_t send_ = 0, receive_ = 0;  // [ps]
  std::int64_t first_ = 0, counted_ = 0;
  std::vector<std::int64_t> ends_;     // of steps
  std::vector<std::uint32_t> ending_;  // what ended last
  std::vector<int> left_;              // starters
  bool keeps_chain_ = false, counting_ = false;
  std::int64_t messages_ = 0, bytes_ = 0;
  std::vector<std::int64_t> busy_;  // by link [ps]
};

}  // namespace

StepPrediction run_events(const StepGraph& graph, const topology::PeLayout& layout,
                          const topology::Machine& machine, std::span<const int> node_of_process) {
  FG_CHECK(node_of_process.size() == static_cast<std::size_t>(layout.processes));
  return Model(graph, layout, machine, node_of_process).run();
}

}  // namespace fg
