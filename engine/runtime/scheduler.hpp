// SPDX-License-Identifier: BSD-3-Clause
//
// A PE: one thread, its queues, and a loop. The loop takes a message and invokes the entry. If the
// entry completed what a coroutine awaits, the loop resumes it. With several processes the PE
// drives the network between messages and when it is idle.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/thread_local.hpp"
#include "runtime/profile.hpp"
#include "runtime/quiescence.hpp"
#include "runtime/task.hpp"
#include "runtime/threads/envelope.hpp"
#include "runtime/threads/idle.hpp"
#include "runtime/threads/lanes.hpp"
#include "runtime/trace.hpp"
#include "transport/ticket_queue.hpp"

namespace fg {

class ChareBase;
class Network;
class Runtime;

/// The members of a section on one PE.
struct FanOut {
  Pe* home;
  std::vector<Location*> targets;
};

class alignas(64) Pe {
 public:
  /// `rank` counts across all processes; `producers` is the number of threads that may post here;
  /// `trace_records` as RuntimeOptions::trace.
  Pe(Runtime& runtime, int rank, std::size_t producers, const IdlePolicy& idle, Profiling profiling,
     std::size_t trace_records);
  ~Pe();
  Pe(const Pe&) = delete;
  Pe& operator=(const Pe&) = delete;

  /// Makes the calling thread, which is not a PE, one of a runtime's producers.
  static void set_producer(const Runtime* runtime) noexcept { producer_of_ = runtime; }

  /// The PE of the calling thread, or null.
  static Pe* current() noexcept { return current_; }

  int rank() const noexcept { return rank_; }
  Runtime& runtime() const noexcept { return *runtime_; }
  MessageCounts& counts() noexcept { return counts_; }
  const MessageCounts& counts() const noexcept { return counts_; }
  const Account& account() const noexcept { return account_; }
  Account* profiled_account() noexcept {
    return profiling_ == Profiling::off ? nullptr : &account_;
  }
  /// Null in a run without a trace.
  Tracer* tracer() const noexcept { return tracer_.get(); }
  std::uint64_t sent_to_others() const noexcept { return sent_to_others_; }

  /// Queues an envelope here; may be called from any thread. It takes over one reference of its
  /// message.
  void post(Lane lane, const Envelope& envelope) {
    Pe* const here = current_;
    if (here == this) [[likely]] {
      counts_.sent(1);
      if (times_sends_) [[unlikely]]
        return post_timed(lane, envelope);
      lanes_.push(lane, envelope);
    } else {
      post_from_elsewhere(here, {envelope, nullptr, lane}, 1);
    }
  }
  /// The same for every target of `fan_out`, all on this PE; takes over one reference for each.
  void post_all(Lane lane, const Envelope& envelope, const FanOut& fan_out);

  /// Queues an envelope that was already counted as sent, usually by another process.
  void accept(Lane lane, const Envelope& envelope);
  /// The same for every target of `fan_out`, all on this PE.
  void accept_all(Lane lane, const Envelope& envelope, const FanOut& fan_out);
  /// Counts messages to another process, and drives the network soon. If they are urgent, it does
  /// so at once. Otherwise it waits for a few more entries, whose messages may travel in the same
  /// packet.
  void sent_away(std::uint64_t messages, bool urgent) noexcept {
    counts_.sent(messages);
    counts_.sent_away(messages);
    until_poll_ = std::min(until_poll_, urgent ? 1 : messages_to_combine);
  }

  /// Called on its own thread, between or within entries: sends and takes in packets if the PEs do
  /// that.
  void drive_network();
  /// The same if it is some time since the network was driven.
  void drive_network_if_due();

  /// The main function of the PE's thread: runs until the runtime stops.
  void main();
  void wake() noexcept { sleep_flag_.wake(); }

  /// Moves the posts of other threads into the PE's own queue. Not while the thread runs.
  void take_in_all() {
    while (receive()) {
    }
  }
  /// Drops all queued messages. Not while the thread runs.
  void discard_queued() noexcept;
  /// Prepares the account for a new run.
  void prepare(int entries);

 private:
  friend class SendTimer;
  static constexpr int messages_to_combine = 4;  // entries that run before what they sent goes out
  void accept(const Parcel& parcel, std::size_t messages);
  void post_timed(Lane lane, Envelope envelope);
  void post_from_elsewhere(Pe* here, Parcel parcel, std::size_t messages);
  template <Profiling profiling>
  void loop();
  template <Profiling profiling>
  void loop_in_disorder(std::uint64_t seed);
  template <Profiling profiling>
  void loop_in_order_of(std::uint64_t delivery_seed);
  template <Profiling profiling>
  void wait();
  template <Profiling profiling>
  void dispatch(Envelope envelope);
  void deliver(ChareBase& chare, const Envelope& envelope);
  void deliver_alternative(ChareBase& chare, detail::Suspension& who, const Envelope& envelope);
  void resume(ChareBase& chare);
  void forward(const Envelope& envelope);
  bool receive();
  bool something_came();
  /// The network, if the PEs drive it; else null.
  Network* driven() const noexcept;
  void unpack(const Parcel& parcel);
  void wait_for_work();
  void wait_in_network();

  FG_FAST_THREAD_LOCAL static constinit thread_local Pe* current_;
  FG_FAST_THREAD_LOCAL static constinit thread_local const Runtime* producer_of_;

  // Read by all threads and never written, so on another cache line than what the own thread
  // writes.
  Runtime* const runtime_;
  const int rank_;
  const bool times_sends_;
  const Profiling profiling_;
  const IdlePolicy idle_policy_;
  const std::unique_ptr<Tracer> tracer_;
  // Written by the own thread; other PEs read the counts to detect quiescence.
  alignas(64) Lanes lanes_;
  std::uint64_t sent_to_others_ = 0;
  MessageCounts counts_;
  Account account_;
  int until_poll_ = 1;             // messages until the next poll
  RunClock::time_point driven_{};  // when the network was driven last
  // Written by producers.
  TicketQueue<Parcel> inbox_;
  alignas(64) SleepFlag sleep_flag_;
};

/// Adds the time of its scope to the calling PE's sending, if that is measured.
class SendTimer {
 public:
  SendTimer() noexcept : pe_(Pe::current()) {
    if (pe_ && !pe_->times_sends_) pe_ = nullptr;
    if (pe_) before_ = pe_->account_.switch_to(Account::sending);
  }
  SendTimer(const SendTimer&) = delete;
  SendTimer& operator=(const SendTimer&) = delete;
  ~SendTimer() {
    if (pe_) pe_->account_.switch_to(before_);
  }
  /// Needed for Envelope::cause.
  std::uint64_t cause() const noexcept {
    return pe_ && pe_->tracer_ ? trace_cause(pe_->rank_, pe_->account_.last()) : 0;
  }

 private:
  Pe* pe_;
  int before_ = 0;
};

}  // namespace fg
