// SPDX-License-Identifier: BSD-3-Clause
//
// A persistent many-to-many exchange. The amounts between all sources and targets are registered
// once. After that every round consists of stores. A source writes a piece where its target, in the
// same process, will read it.
//
// For another process, pieces travel in parcels. A parcel may be a message of the pieces of some
// sources. It leaves when they have written, and is read where it arrived. Or the pieces are in
// shared memory and the message only announces them. Which sources share a parcel is fixed when the
// exchange is made.
//
// A target is called once per round, when it has all pieces. A round may be complete before an
// earlier one. A target holds a window of rounds (two, if nothing else is asked for). With a window
// of w, a round may be written once the target has released the round w before it. Idea:
// many-to-many of Charm++ on Blue Gene/Q (Kumar et al., IPDPS 2013, III E).
//
//   for (int k = 0; k < exchange.links(*this); ++k) write(exchange.place(*this, k, round));
//   exchange.sent(*this, round);
//   ...
//   void Target::all_here(std::int64_t round) {
//     for (int k = 0; k < exchange.sources(*this); ++k) read(exchange.from(*this, k, round));
//     exchange.release(*this, round);
//   }
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/aligned_vector.hpp"
#include "runtime/array.hpp"
#include "runtime/entry.hpp"
#include "transport/transport.hpp"

namespace fg {

class Runtime;

struct ExchangeSettings {
  Lane lane = Lane::normal;  // of the entry that is called
  int window = 2;            // rounds that a target holds
  /// Elements whose ordinals are equal modulo this number form a strand. If the number is the last
  /// extent of the arrays, these are elements with equal last index. A strand has rounds of its
  /// own, and sends to itself only.
  int strands = 1;
  /// A parcel takes sources until it has at least this many bytes.
  std::size_t parcel_bytes = std::size_t{128} << 10;
};

class ExchangeCore {
 public:
  struct Link {
    int target;         // ordinal
    std::size_t bytes;  // the most in any round
  };
  using Plan = std::function<std::vector<Link>(int source)>;

  /// Throws InternalError if a link leads nowhere or to another strand, or if the settings are
  /// below 1.
  ExchangeCore(ArrayCore& sources, ArrayCore& targets, const Plan& plan, const EntryInfo& entry,
               const ExchangeSettings& settings);
  ~ExchangeCore();

  void set_id(int id) noexcept { id_ = id; }
  /// Called between runs, after elements have moved.
  void renew();
  bool concerns(const ArrayCore& array) const noexcept {
    return &sources_ == &array || &targets_ == &array;
  }

  int links(int source) const noexcept { return ways_of(source).count; }
  int target(int source, int link) const noexcept;
  std::byte* place(int source, int link, std::int64_t round) {
    const Way& to = way(source, link);
    const std::size_t slot = slot_of(round);
    if (!to.place) return place_in_message(to, slot);
    if (to.gates && to.gates[slot].missing.load(std::memory_order_acquire) <= 0)
      refuse_a_source_too_early(source, link, round);
    return to.place + slot * to.apart;
  }
  void sent(int source, int link, std::int64_t round) {
    sent(way(source, link), slot_of(round), round);
  }
  void all_sent(int source, std::int64_t round) {
    const Ways& ways = ways_of(source);
    const std::size_t slot = slot_of(round);
    const Way* const first = ways_.data() + ways.first;
    for (const Way* to = first; to != first + ways.count; ++to) sent(*to, slot, round);
  }
  int sources(int target) const noexcept;
  int source(int target, int k) const noexcept;
  const std::byte* from(int target, int k, std::int64_t round) const noexcept {
    return inboxes_[static_cast<std::size_t>(target)]
        ->from[slot_of(round)][static_cast<std::size_t>(k)];
  }
  void release(int target, std::int64_t round) noexcept;

  /// Takes a parcel of a process for the targets here; `cause` as in Envelope.
  void receive(int process, int parcel, std::int64_t round, const Ref<const Message>& message,
               std::uint64_t cause);

 private:
  struct Inbox;
  struct Parcel {  // the pieces of some sources here for a process, in each round of the window
    int process = 0;
    int number = 0;  // among those for the process
    int feeds = 0;
    std::size_t bytes = 0;  // of a round
    struct Round {
      Ref<Message> message;
      std::atomic<int> missing{0};  // feeds
    };
    std::unique_ptr<Round[]> rounds;  // [window]
    bool shared = false;              // the bytes are in shared memory; the messages are empty

    void prepare(Round& round) const;
  };
  // State of a round at a target; on a cache line of its own, because all sources write to it.
  struct alignas(64) Gate {
    std::atomic<int> missing{0};  // 0: complete and not yet released
    Inbox* inbox = nullptr;
  };
  // In arrays of a window, a round has the place `slot_of(round)`.
  struct Inbox {  // for a target here
    int target = 0;
    std::vector<int> sources;
    std::unique_ptr<Gate[]> gates;                    // [window]
    std::vector<std::vector<const std::byte*>> from;  // [window][sources]
    AlignedVector<std::byte> stored;                  // [window], pieces from this process
    std::size_t stored_bytes = 0;                     // for one round
    std::size_t parcels = 0;                          // of other processes that have pieces for it
    std::vector<Ref<const Message>> messages;         // [window, parcels]; `from` points into them
  };
  struct Way {                   // where a piece goes, as its source sees it
    std::byte* place = nullptr;  // of the first slot; null: in the message of the round
    Gate* gates = nullptr;       // if the target is here; else null
    std::uint32_t apart = 0;     // distance of the places of adjacent slots, in bytes
    int outlet = -1;             // index of the outlet, if the target is in another process
  };
  struct Ways {
    int first = 0, count = 0;
  };
  struct Feed {  // pieces of a source in a parcel
    Parcel* parcel = nullptr;
    int pieces = 0;
  };
  struct Outlet {  // place of a piece in a parcel
    int feed;
    std::size_t offset;
  };
  struct Landing {  // the pieces for one target in a parcel
    Inbox* inbox;
    std::size_t at;  // index of the message at the target
    struct Piece {
      std::size_t k, offset;
    };
    std::vector<Piece> pieces{};
  };
  struct Incoming {  // a parcel of another process
    std::size_t bytes = 0;
    std::vector<Landing> landings{};
  };
  struct Inside {  // a piece that stays in this process
    std::size_t way;
    Inbox* inbox;
    std::size_t k, offset;
  };
  class Layout;

  std::size_t slot_of(std::int64_t round) const noexcept {
    const auto number = static_cast<std::uint64_t>(round);
    return mask_ != 0 ? number & mask_ : number % window_;
  }
  const Ways& ways_of(int source) const noexcept {
    return first_way_[static_cast<std::size_t>(source)];
  }
  const Way& way(int source, int link) const noexcept {
    return ways_[static_cast<std::size_t>(ways_of(source).first + link)];
  }
  void sent(const Way& to, std::size_t slot, std::int64_t round) {
    if (!to.gates) return sent_elsewhere(to, slot, round);
    arrived(to.gates[slot], 1, round);
  }
  void arrived(Gate& gate, int pieces, std::int64_t round, std::uint64_t cause = 0) {
    const int missing = gate.missing.fetch_sub(pieces, std::memory_order_acq_rel);
    if (missing <= pieces) is_whole(*gate.inbox, missing == pieces, round, cause);
  }
  void is_whole(const Inbox& inbox, bool in_time, std::int64_t round, std::uint64_t cause);
  int& missing_of(std::size_t feed, std::size_t slot) noexcept {
    return feed_missing_[feed * feed_stride_ + slot];
  }
  void share_memory();
  std::byte* place_in_message(const Way& way, std::size_t slot) const;
  void sent_elsewhere(const Way& way, std::size_t slot, std::int64_t round);
  [[noreturn]] void refuse_a_source_too_early(int source, int link, std::int64_t round) const;

  ArrayCore& sources_;
  ArrayCore& targets_;
  const EntryInfo& entry_;
  const ExchangeSettings settings_;
  const std::size_t window_;
  const std::uint64_t mask_;  // of the slot, if the window is a power of two; else 0
  int id_ = 0;
  std::size_t alignment_ = 16;           // of a piece; 64 if any is at least that long
  std::vector<std::vector<Link>> plan_;  // by source
  std::vector<Ways> first_way_;          // by source; empty for sources of other processes
  std::vector<Way> ways_;
  std::vector<Outlet> outlets_;
  std::vector<Feed> feeds_;
  std::size_t feed_stride_ = 0;
  AlignedVector<int> feed_missing_;              // [feeds, window]: pieces not yet written
  std::vector<std::unique_ptr<Inbox>> inboxes_;  // by target; null for targets of other processes
  std::vector<std::vector<std::unique_ptr<Parcel>>> parcels_;  // by process
  std::vector<std::vector<Incoming>> incoming_;                // by process
  std::shared_ptr<const SharedMemory> shared_;                 // with the processes of this host
};

namespace detail {
ExchangeCore* make_exchange(ArrayCore* sources, ArrayCore* targets, const ExchangeCore::Plan& plan,
                            const EntryInfo& entry, const ExchangeSettings& settings);
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
                       const ExchangeSettings& settings = {}) {
    static_assert(std::is_same_v<typename EntryOf<Entry>::Argument, std::int64_t>);
    Exchange exchange;
    exchange.core_ = detail::make_exchange(
        sources.core(), targets.core(), [&](int source) { return plan(sources.index(source)); },
        EntryOf<Entry>::info, settings);
    return exchange;
  }

  /// The number of pieces that this source sends in a round.
  int links(const Source& source) const noexcept { return core_->links(source.ordinal()); }
  int target(const Source& source, int link) const noexcept {
    return core_->target(source.ordinal(), link);
  }
  /// Where to write a piece, aligned to 64 bytes, or to 16 if all pieces are shorter than 64.
  template <class T>
  T* place(const Source& source, int link, std::int64_t round) const {
    return reinterpret_cast<T*>(core_->place(source.ordinal(), link, round));
  }
  /// Reports that a piece has been written.
  void sent(const Source& source, int link, std::int64_t round) const {
    core_->sent(source.ordinal(), link, round);
  }
  /// Reports that all pieces have been written. This is faster than one report for each, because
  /// the stores overlap.
  void sent(const Source& source, std::int64_t round) const {
    core_->all_sent(source.ordinal(), round);
  }

  int sources(const Target& target) const noexcept { return core_->sources(target.ordinal()); }
  int source(const Target& target, int k) const noexcept {
    return core_->source(target.ordinal(), k);
  }
  /// The piece of the k-th source, in the order of sources; valid until `release`.
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
