// SPDX-License-Identifier: BSD-3-Clause
//
// A persistent many-to-many exchange: the amounts between all sources and targets are registered
// once; after that every round consists of stores. A source writes a fragment where its target, in
// the same process, will read it. For another process, all fragments travel as one message and are
// read from it, or they are in shared memory and the message only announces them. A target is
// called once per round, when it has all fragments. It holds two rounds, so a source may be one
// round ahead and no more. Idea: many-to-many of Charm++ on Blue Gene/Q (Kumar et al., IPDPS 2013,
// III E).
//
//   for (int k = 0; k < exchange.links(*this); ++k) write(exchange.place(*this, k, round));
//   exchange.sent(*this, round);
//   ...
//   void Target::all_here(std::int64_t round) {
//     for (int k = 0; k < exchange.sources(*this); ++k) read(exchange.from(*this, k, round));
//     exchange.release(*this, round);
//   }
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/aligned_vector.hpp"
#include "runtime/array.hpp"
#include "runtime/entry.hpp"
#include "transport/transport.hpp"

namespace fg {

class Runtime;

class ExchangeCore {
 public:
  struct Link {
    int target;         // ordinal
    std::size_t bytes;  // the most in any round
  };
  using Plan = std::function<std::vector<Link>(int source)>;

  ExchangeCore(ArrayCore& sources, ArrayCore& targets, const Plan& plan, const EntryInfo& entry,
               Lane lane);
  ~ExchangeCore();

  void set_id(int id) noexcept { id_ = id; }
  /// Called between runs, after elements have moved.
  void renew();

  int links(int source) const noexcept { return ways_of(source).count; }
  int target(int source, int link) const noexcept;
  std::byte* place(int source, int link, std::int64_t round) {
    const Way& to = way(source, link);
    const std::size_t half = generation(round);
    if (!to.place) return place_in_message(to, half);
    if (to.gates && to.gates[half].missing.load(std::memory_order_acquire) <= 0)
      refuse_a_source_too_early(source, link, round);
    return to.place + half * to.apart;
  }
  void sent(int source, int link, std::int64_t round) {
    const Way& to = way(source, link);
    if (!to.gates) return sent_elsewhere(to, round);
    arrived(to.gates[generation(round)], 1, round);
  }
  int sources(int target) const noexcept;
  int source(int target, int k) const noexcept;
  const std::byte* from(int target, int k, std::int64_t round) const noexcept {
    return inboxes_[static_cast<std::size_t>(target)]
        ->from[generation(round)][static_cast<std::size_t>(k)];
  }
  void release(int target, std::int64_t round) noexcept;

  /// Takes the fragments of a process for the targets here; `cause` as in Envelope.
  void receive(int process, std::int64_t round, const Ref<const Message>& message,
               std::uint64_t cause);

 private:
  struct Inbox;
  struct Wire;
  // State of a round at a target; on a cache line of its own, because all sources write to it.
  struct alignas(64) Gate {
    std::atomic<int> missing{0};  // 0: complete and not yet released
    Inbox* inbox = nullptr;
  };
  struct Inbox {  // for a target here; holds two rounds
    int target = 0;
    std::vector<int> sources;
    std::array<Gate, 2> gates;
    std::array<std::vector<const std::byte*>, 2> from;        // [sources]
    AlignedVector<std::byte> stored;                          // fragments from this process
    std::size_t stored_bytes = 0;                             // for one round
    std::size_t processes = 0;                                // number of processes that send to it
    std::array<std::vector<Ref<const Message>>, 2> messages;  // by process; `from` points into them
  };
  struct Way {                   // where a fragment goes, as its source sees it
    std::byte* place = nullptr;  // in even rounds; null: in the message of the round
    Gate* gates = nullptr;       // of both rounds, if the target is here; else null
    std::uint32_t apart = 0;     // offset of the place in odd rounds, in bytes
    int outlet = -1;             // index of the outlet, if the target is in another process
  };
  struct Ways {
    int first = 0, count = 0;
  };
  struct Feed {  // fragments that a source has not yet written into the message for a process
    Wire* wire = nullptr;
    int fragments = 0;
    std::array<int, 2> missing{};
  };
  struct Outlet {  // place of a fragment in the message for another process
    int feed;
    std::size_t offset;
  };
  struct Landing {  // the fragments for one target in the message of a process
    Inbox* inbox;
    std::size_t slot;  // index of the message at the target
    struct Fragment {
      std::size_t k, offset;
    };
    std::vector<Fragment> fragments{};
  };
  struct Inside {  // a fragment that stays in this process
    std::size_t way;
    Inbox* inbox;
    std::size_t k, offset;
  };

  static constexpr std::size_t generation(std::int64_t round) noexcept {
    return static_cast<std::size_t>(round) & 1u;
  }
  const Ways& ways_of(int source) const noexcept {
    return first_way_[static_cast<std::size_t>(source)];
  }
  const Way& way(int source, int link) const noexcept {
    return ways_[static_cast<std::size_t>(ways_of(source).first + link)];
  }
  void arrived(Gate& gate, int fragments, std::int64_t round, std::uint64_t cause = 0) {
    const int missing = gate.missing.fetch_sub(fragments, std::memory_order_acq_rel);
    if (missing <= fragments) is_whole(*gate.inbox, missing == fragments, round, cause);
  }
  void is_whole(const Inbox& inbox, bool in_time, std::int64_t round, std::uint64_t cause);
  std::size_t aligned(std::size_t bytes) const noexcept;
  Inbox& inbox_of(int target);
  Inside store_inside(int source, const Link& link);
  void begin_landing(std::size_t from, int target);
  static void land(Landing& landing, int source, std::size_t offset);
  void send_out(std::size_t to, const Link& link, int& feed);
  void share_memory(std::span<const std::size_t> incoming);
  std::byte* place_in_message(const Way& way, std::size_t half) const;
  void sent_elsewhere(const Way& way, std::int64_t round);
  [[noreturn]] void refuse_a_source_too_early(int source, int link, std::int64_t round) const;

  ArrayCore& sources_;
  ArrayCore& targets_;
  const EntryInfo& entry_;
  const Lane lane_;
  int id_ = 0;
  std::size_t alignment_ = 16;           // of a fragment; 64 if any is at least that long
  std::vector<std::vector<Link>> plan_;  // by source
  std::vector<Ways> first_way_;          // by source; empty for sources of other processes
  std::vector<Way> ways_;
  std::vector<Outlet> outlets_;
  std::vector<Feed> feeds_;
  std::vector<std::unique_ptr<Inbox>> inboxes_;  // by target; null for targets of other processes
  std::vector<std::unique_ptr<Wire>> wires_;     // by process; null if nothing is sent there
  std::vector<std::vector<Landing>> landings_;   // by process
  std::shared_ptr<const SharedMemory> shared_;   // with the processes of this host
};

namespace detail {
ExchangeCore* make_exchange(ArrayCore* sources, ArrayCore* targets, const ExchangeCore::Plan& plan,
                            const EntryInfo& entry, Lane lane);
}

/// The handle, made once by all processes, after both arrays and before a run. Elements of the two
/// arrays may move between processes only between runs.
template <class Source, class Target>
class Exchange {
 public:
  using Link = ExchangeCore::Link;

  Exchange() = default;
  /// `plan(index)`: the links of a source, the same in all processes. `Entry` of a target takes the
  /// round as its argument.
  template <auto Entry, class Plan>
  static Exchange make(const Array<Source>& sources, const Array<Target>& targets, Plan&& plan,
                       Lane lane = Lane::normal) {
    static_assert(std::is_same_v<typename EntryOf<Entry>::Argument, std::int64_t>);
    Exchange exchange;
    exchange.core_ = detail::make_exchange(
        sources.core(), targets.core(), [&](int source) { return plan(sources.index(source)); },
        EntryOf<Entry>::info, lane);
    return exchange;
  }

  /// The number of fragments that this source sends in a round.
  int links(const Source& source) const noexcept { return core_->links(source.ordinal()); }
  int target(const Source& source, int link) const noexcept {
    return core_->target(source.ordinal(), link);
  }
  /// Where to write a fragment, aligned to 64 bytes, or to 16 if all fragments are shorter than 64.
  template <class T>
  T* place(const Source& source, int link, std::int64_t round) const {
    return reinterpret_cast<T*>(core_->place(source.ordinal(), link, round));
  }
  /// Reports that a fragment has been written.
  void sent(const Source& source, int link, std::int64_t round) const {
    core_->sent(source.ordinal(), link, round);
  }
  /// Reports that all fragments have been written. This is faster than one report for each, because
  /// the stores overlap.
  void sent(const Source& source, std::int64_t round) const {
    for (int link = 0; link < links(source); ++link) sent(source, link, round);
  }

  int sources(const Target& target) const noexcept { return core_->sources(target.ordinal()); }
  int source(const Target& target, int k) const noexcept {
    return core_->source(target.ordinal(), k);
  }
  /// The fragment of the k-th source, in the order of sources; valid until `release`.
  template <class T>
  const T* from(const Target& target, int k, std::int64_t round) const noexcept {
    return reinterpret_cast<const T*>(core_->from(target.ordinal(), k, round));
  }
  void release(const Target& target, std::int64_t round) const noexcept {
    core_->release(target.ordinal(), round);
  }

  explicit operator bool() const noexcept { return core_ != nullptr; }

 private:
  ExchangeCore* core_ = nullptr;
};

}  // namespace fg
