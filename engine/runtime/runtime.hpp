// SPDX-License-Identifier: BSD-3-Clause
//
// The runtime: creates arrays of chares, runs their messages on PEs, and ends when a chare asks for
// it. It has no main function and no global state. So several runtimes may exist, one after another
// or at once (but only one at a time with other processes). This file includes everything that a
// chare needs. docs/explanation/runtime.md explains the model.
#pragma once

#include <atomic>
#include <chrono>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "runtime/array.hpp"
#include "runtime/chare.hpp"
#include "runtime/entry.hpp"
#include "runtime/exchange.hpp"
#include "runtime/mailbox.hpp"
#include "runtime/network.hpp"
#include "runtime/places/maps.hpp"
#include "runtime/profile.hpp"
#include "runtime/proxy.hpp"
#include "runtime/quiescence.hpp"
#include "runtime/reduction.hpp"
#include "runtime/scheduler.hpp"
#include "runtime/section.hpp"
#include "runtime/task.hpp"
#include "runtime/trace.hpp"
#include "transport/message.hpp"

namespace fg {

struct RuntimeOptions {
  /// Worker threads of this process; the same number in all processes.
  int pes = 1;
  /// Connects to the other processes. Each of them creates the same runtime, arrays, sections and
  /// reductions in the same order, and calls run equally often. Null: there are none. Must outlive
  /// the runtime.
  Transport* transport = nullptr;
  /// The number of the host of each process. Empty: the processes ask each other. They may be
  /// others than the real ones, since hosts only give trees their shape; the same in all processes.
  std::vector<int> hosts{};
  /// Threads that only drive the network; with none the PEs drive it between messages.
  int comm_threads = 0;
  /// Bind each PE to a core; ignored when there are more PEs than cores.
  bool pin = true;
  /// The system's numbers of processors for the threads of all processes of this host. The PEs of
  /// the first process come first, then its communication threads, and so on. Empty: one core for
  /// each thread.
  std::vector<int> processors{};
  Profiling profiling = Profiling::off;
  /// Number of records kept for each PE, the latest ones; 0: no trace. A trace sets
  /// Profiling::trace.
  std::size_t trace = 0;
  /// If every chare waits and no message is in flight, `run` throws and names who waits for what.
  /// Switch it off only if threads outside the runtime will still send. With a single-threaded
  /// transport, it may also be switched off to send no packets except those of chares. When it is
  /// off, `notify_when_quiet` has no effect.
  bool deadlock_is_error = true;
  /// For tests: messages are delivered in an order drawn from this seed (disorder.hpp). With 0 the
  /// environment variable FINEGRAIN_DELIVERY_SEED gives it; without that the order is the usual
  /// one.
  std::uint64_t delivery_seed = 0;
};

class Runtime {
 public:
  explicit Runtime(const RuntimeOptions& options = {});
  ~Runtime();
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  /// PEs of all processes.
  int pes() const noexcept { return static_cast<int>(pes_.size()) * processes_; }
  /// PEs of this process.
  int pes_here() const noexcept { return static_cast<int>(pes_.size()); }
  int first_pe_here() const noexcept { return process_ * pes_here(); }
  int processes() const noexcept { return processes_; }
  int process() const noexcept { return process_; }
  /// The number of the host of each process.
  std::span<const int> hosts() const noexcept { return options_.hosts; }
  int comm_threads() const noexcept { return comm_threads_; }

  /// Call it before a run. `map`: index -> PE, numbered across all processes; `factory`: index ->
  /// std::unique_ptr<C>. The elements of this process are made here, in index order; their
  /// constructors already know index, PE and runtime. The factory is kept, and called again for
  /// elements that move here from another process.
  template <class C, class Map, class Factory>
  Array<C> create_array(const std::array<int, C::dimensions>& shape, Map&& map, Factory&& factory);
  /// The same with default-constructed elements.
  template <class C, class Map>
  Array<C> create_array(const std::array<int, C::dimensions>& shape, Map&& map) {
    return create_array<C>(shape, std::forward<Map>(map),
                           [](const auto&) { return std::make_unique<C>(); });
  }

  /// An array bound to another one. Its element at `index` lives where the element `to(index)` of
  /// `leader` lives, and moves with it in `relocate`. Made like any array; the places of the leader
  /// have to be agreed on.
  template <class C, class L, class To, class Factory>
  Array<C> create_array_beside(const Array<L>& leader, const std::array<int, C::dimensions>& shape,
                               To&& to, Factory&& factory);
  /// Called by all processes, in the same order, between runs. Ends the array with its elements,
  /// sections, reductions and exchanges. Their handles must not be used any more. Throws
  /// InternalError while messages are queued or another array is bound to it.
  template <class C>
  void free_array(const Array<C>& array) {
    end_array(*array.core());
  }

  /// Runs the PEs, each on its own thread (or on this one if the transport is single-threaded),
  /// until `stop`. Throws the first exception that left an entry or a life. After `stop`, queued
  /// messages are kept for the next run. After an exception they are dropped, and the runtime
  /// cannot run again.
  void run();
  /// When a run may come to its end by itself.
  enum class Quiet { at_any_time, as_announced };
  /// Runs until no message is left. With `as_announced`, other processes are hardly ever asked for
  /// their messages before an object of process 0 calls `expect_quiet`. To ask takes process 0 the
  /// time of four messages to and from every other process.
  void run_until_quiescent(Quiet quiet = Quiet::at_any_time);
  /// No more messages will come than those that follow from the ones that are under way.
  void expect_quiet() noexcept;
  /// Whether a run has thrown, in all processes unless this one was cut off; there can be no other
  /// run.
  bool failed() const noexcept { return failed_; }
  /// Whether the network has failed in this process, so that the others do not know about the
  /// error.
  bool cut_off() const noexcept { return network_ && network_->broken(); }
  /// Ends the run soon, in all processes; may be called from any thread, any number of times.
  void stop() noexcept;
  bool stopping() const noexcept { return stopping_.load(std::memory_order_relaxed); }

  /// Sends once when nothing runs and no message is in flight.
  template <auto Member, class C, class... A>
  void notify_when_quiet(const Element<C>& target, A&&... argument_and_lane);

  /// New places for all elements of some arrays, by ordinal.
  struct Placement {
    ArrayCore* array;
    std::vector<int> pes;
  };
  /// Called by all processes, with the same placements, between runs: moves the elements and makes
  /// all sections again. Elements of arrays bound to others follow these. Lives must have ended;
  /// `restart` is not called. A trace continues with the next run.
  void relocate(std::span<const Placement> placements);
  /// Called by all processes, between runs, after elements have moved by themselves: every process
  /// learns where every element is.
  void agree_on_places();
  /// Called by all processes, between runs. Returns the measured load of each element by ordinal,
  /// the same in all processes. The load of the elements bound to it is included.
  std::vector<std::uint64_t> loads(const ArrayCore& array);

  /// The times of the last run. Do not call it during a run.
  Profile profile() const;
  /// The trace of the last run. Do not call it during a run; the next run deletes it.
  Trace trace() const;
  /// "Cell[0,1] awaits fg::Cell::accept at step 3 (2 missing)", for every chare that waits.
  std::string describe_waiting(std::size_t most = 8) const;

  // For the runtime's own parts.
  std::span<const std::unique_ptr<Pe>> all_pes() const noexcept { return pes_; }
  /// The PE of this rank across all processes, or null if it is in another process.
  Pe* pe_here(int rank) const;
  int process_of(int pe) const noexcept { return pe / pes_here(); }
  /// The arrays by number; null for those that have been freed.
  const std::vector<std::unique_ptr<ArrayCore>>& arrays() const noexcept { return arrays_; }
  /// Null when there is one process.
  Network* network() const noexcept { return network_.get(); }
  /// Messages queued in this process; exact while nothing runs. Messages in mailboxes do not count,
  /// and neither do those that wait for an element that is moving here. They cannot be processed
  /// yet.
  std::int64_t backlog() const noexcept;
  /// Counts messages that are queued here but were not sent by a PE of this process.
  void queued_from_elsewhere(std::uint64_t n) noexcept {
    queued_from_elsewhere_.fetch_add(n, std::memory_order_relaxed);
  }
  /// Acts on quiescence in this process: sends the requested messages, or ends the run.
  void fire_requests();
  bool runs_until_quiescent() const noexcept { return until_quiescent_; }
  bool expects_quiet() const noexcept { return expects_quiet_.load(std::memory_order_relaxed); }
  bool deadlock_is_error() const noexcept { return options_.deadlock_is_error; }
  static InternalError deadlock(const std::string& who_waits);
  void stop_here() noexcept;
  void fail_here(std::exception_ptr error) noexcept;
  Quiescence& quiescence() noexcept { return quiescence_; }
  void fail(std::exception_ptr error) noexcept;
  /// Called when a PE has nothing to do; true if that changed something.
  bool on_idle();
  const SectionCore* keep_section(std::unique_ptr<SectionCore> section);
  void renew(const SectionCore& section, std::vector<int> members);
  /// The section with a fan-out of this number.
  const SectionCore& tree(int id) const { return *trees_.at(static_cast<std::size_t>(id)); }
  /// Keeps a reduction; returns its number, which is the same in all processes.
  int keep_reduction(std::unique_ptr<RemoteInputs> reduction);
  RemoteInputs& reduction(int id);
  int keep_exchange(std::unique_ptr<ExchangeCore> exchange);
  ExchangeCore& exchange(int id);
  /// Whether the only PE runs on the caller's thread and waits in the transport.
  bool single_threaded() const noexcept {
    return options_.transport && options_.transport->single_threaded();
  }
  /// Quiescence need not be detected if only chares can send and the run does not end by it.
  bool looks_for_quiet() const noexcept {
    return until_quiescent_ || options_.deadlock_is_error || !single_threaded();
  }
  bool stopping_for_sleep() const noexcept { return stopping_.load(std::memory_order_seq_cst); }
  int cores() const noexcept { return cores_; }
  std::uint64_t delivery_seed() const noexcept { return options_.delivery_seed; }

 private:
  ArrayCore& new_array(std::string name, int dimensions, const std::array<int, 4>& shape);
  void end_array(ArrayCore& array);
  void place_all(ArrayCore& array, std::span<const int> pes);
  void run_threads();
  /// Binds the calling thread to the core or processor of a thread of this process. Its PEs come
  /// first, then its communication threads.
  void bind_thread(int thread) const noexcept;
  void touch_traces();
  void start_trace();
  void renew_sections();
  std::vector<std::byte> share(const std::vector<std::byte>& mine);
  void communicate() noexcept;
  void send_request(const Quiescence::Request& request);

  RuntimeOptions options_;
  int cores_;
  int process_ = 0;
  int processes_ = 1;
  int comm_threads_ = 0;
  IdlePolicy idle_policy_{};
  int first_place_ = 0;  // of this process's threads among those of the host; -1: not bound
  bool failed_ = false;
  bool until_quiescent_ = false;
  double wall_seconds_ = 0;
  double seconds_per_tick_ = 0;
  // For the trace; ticks are compared with these.
  std::chrono::system_clock::time_point start_;
  RunClock::time_point start_steady_;
  std::uint64_t start_ticks_ = 0;
  bool relocated_ = false;  // since the last run
  std::vector<std::unique_ptr<Pe>> pes_;
  std::vector<std::unique_ptr<ArrayCore>> arrays_;
  std::mutex kept_mutex_;
  int sections_made_ = 0;
  std::vector<std::unique_ptr<SectionCore>> sections_;
  std::vector<const SectionCore*> trees_;  // those of the sections with a fan-out
  std::vector<std::unique_ptr<RemoteInputs>> reductions_;
  std::vector<std::unique_ptr<ExchangeCore>> exchanges_;
  Quiescence quiescence_;
  std::unique_ptr<Network> network_;
  std::mutex error_mutex_;
  std::exception_ptr error_;
  std::atomic<bool> expects_quiet_{true};
  alignas(64) std::atomic<bool> stopping_{false};
  alignas(64) std::atomic<std::uint64_t> queued_from_elsewhere_{0};
};

namespace detail {
std::string class_name(const char* pretty_function);
template <class C>
std::string class_name() {
  return class_name(__PRETTY_FUNCTION__);
}
}  // namespace detail

template <class C, class Map, class Factory>
Array<C> Runtime::create_array(const std::array<int, C::dimensions>& shape, Map&& map,
                               Factory&& factory) {
  constexpr std::size_t dimensions = C::dimensions;
  const auto narrow = [](const std::array<int, 4>& raw) {
    std::array<int, dimensions> index;
    for (std::size_t d = 0; d < dimensions; ++d) index[d] = raw[d];
    return index;
  };
  std::array<int, 4> full{1, 1, 1, 1};
  for (std::size_t d = 0; d < dimensions; ++d) full[d] = shape[d];
  ArrayCore& core = new_array(detail::class_name<C>(), static_cast<int>(dimensions), full);
  core.populate(
      [&](const auto& raw) { return static_cast<int>(map(narrow(raw))); },
      [narrow, make = std::make_shared<std::decay_t<Factory>>(std::forward<Factory>(factory))](
          const auto& raw) -> std::unique_ptr<ChareBase> { return (*make)(narrow(raw)); });
  return Array<C>(&core);
}

template <class C, class L, class To, class Factory>
Array<C> Runtime::create_array_beside(const Array<L>& leader,
                                      const std::array<int, C::dimensions>& shape, To&& to,
                                      Factory&& factory) {
  const auto array = create_array<C>(
      shape, [&](const auto& index) { return leader.pe_of(to(index)); },
      std::forward<Factory>(factory));
  ArrayCore::Bond& bond = array.core()->bond;
  bond.leader = leader.core();
  for (int i = 0; i < array.size(); ++i) bond.to.push_back(leader.ordinal(to(array.index(i))));
  return array;
}

template <auto Member, class C, class... A>
void Runtime::notify_when_quiet(const Element<C>& target, A&&... argument_and_lane) {
  using Entry = EntryOf<Member>;
  const detail::Outgoing out = Entry::pack(std::forward<A>(argument_and_lane)...);
  quiescence_.request({out.lane, {target.location(), &Entry::info, no_step, out.payload}});
  pes_.front()->wake();  // it may sleep in a quiescence that began before
}

inline void detail::send_to(Location& location, Lane lane, const EntryInfo& entry,
                            std::int64_t step, std::uint64_t payload) {
  if (Pe* const home = location.home.load(std::memory_order_acquire)) [[likely]] {
    home->post(lane, {&location, &entry, step, payload});
  } else {
    location.array->runtime->network()->send(location, lane, entry, step, payload);
  }
}

template <class C>
bool Element<C>::here() const noexcept {
  return location_->home.load(std::memory_order_relaxed) != nullptr;
}

template <class C>
template <auto Member, class... A>
void Element<C>::post(std::int64_t step, A&&... argument_and_lane) const {
  using Entry = EntryOf<Member>;
  static_assert(std::is_base_of_v<typename Entry::Chare, C>, "an entry of another class");
  const detail::Outgoing out = Entry::pack(std::forward<A>(argument_and_lane)...);
  detail::send_to(*location_, out.lane, Entry::info, step, out.payload);
}

}  // namespace fg
