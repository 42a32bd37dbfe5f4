// SPDX-License-Identifier: BSD-3-Clause
//
// A persistent many-to-many exchange: who sends how much to whom is told once; after that every
// round is stores. A source writes a fragment where its target, in the same process, will read it;
// the fragments of a whole process for another one travel as one message, and are read out of it.
// A target hears of a round once, when it has all of it. It holds two rounds, so a source may be
// one ahead of it, and no more. Idea: many-to-many of Charm++ on Blue Gene/Q (Kumar et al., IPDPS
// 2013, III E).
//
//   for (int k = 0; k < exchange.links(*this); ++k) {
//     write(exchange.place(*this, k, round)); exchange.sent(*this, k, round);
//   }
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
#include <span>
#include <vector>

#include "base/aligned_vector.hpp"
#include "runtime/array.hpp"
#include "runtime/entry.hpp"

namespace fg {

class Runtime;

class ExchangeCore {
 public:
  struct Link {
    int target;         // ordinal
    std::size_t bytes;  // at most so many in any round
  };
  using Plan = std::function<std::vector<Link>(int source)>;

  ExchangeCore(ArrayCore& sources, ArrayCore& targets, const Plan& plan, const EntryInfo& entry,
               Lane lane);
  ~ExchangeCore();

  void set_id(int id) noexcept { id_ = id; }
  /// Between runs: after elements have moved.
  void renew();

  int links(int source) const noexcept;
  int target(int source, int link) const noexcept;
  std::byte* place(int source, int link, std::int64_t round);
  void sent(int source, int link, std::int64_t round);
  int sources(int target) const noexcept;
  int source(int target, int k) const noexcept;
  std::span<const std::byte> from(int target, int k, std::int64_t round) const noexcept;
  void release(int target, std::int64_t round) noexcept;

  /// The fragments of a process for the targets here; `cause` as in Envelope.
  void receive(int process, std::int64_t round, Ref<const Message> message, std::uint64_t cause);

 private:
  struct Inbox;
  struct Wire;
  struct Way {  // of a fragment, as its source sees it
    Link link;
    Inbox* inbox = nullptr;  // of a target here, and its place there
    int k = 0;
    Wire* wire = nullptr;  // to a target elsewhere, and the offset in its message
    std::size_t offset = 0;
  };
  struct Landing {  // of a fragment that comes in a message
    Inbox* inbox;
    int k;
    std::size_t offset;
  };

  void arrived(Inbox& inbox, std::int64_t round, std::uint64_t cause = 0);
  Way& way(int source, int link) noexcept;

  ArrayCore& sources_;
  ArrayCore& targets_;
  const EntryInfo& entry_;
  const Lane lane_;
  int id_ = 0;
  std::vector<std::vector<Link>> plan_;          // by source
  std::vector<std::vector<Way>> ways_;           // by source; empty: elsewhere
  std::vector<std::unique_ptr<Inbox>> inboxes_;  // by target; null: elsewhere
  std::vector<std::unique_ptr<Wire>> wires_;     // by process; null: none
  std::vector<std::vector<Landing>> landings_;   // by process
};

namespace detail {
ExchangeCore* make_exchange(ArrayCore* sources, ArrayCore* targets, const ExchangeCore::Plan& plan,
                            const EntryInfo& entry, Lane lane);
}

/// The handle, made once by all processes, after both arrays and before a run. Elements of the two
/// arrays may move between processes between runs only.
template <class Source, class Target>
class Exchange {
 public:
  using Link = ExchangeCore::Link;

  Exchange() = default;
  /// `plan(index)`: the links of a source, the same in all processes. `Entry` of a target takes the
  /// round.
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

  /// Fragments that this source sends in a round, and to whom.
  int links(const Source& source) const noexcept { return core_->links(source.ordinal()); }
  int target(const Source& source, int link) const noexcept {
    return core_->target(source.ordinal(), link);
  }
  /// Where to write a fragment, aligned to 64 bytes.
  template <class T>
  T* place(const Source& source, int link, std::int64_t round) const {
    return reinterpret_cast<T*>(core_->place(source.ordinal(), link, round));
  }
  /// It has been written.
  void sent(const Source& source, int link, std::int64_t round) const {
    core_->sent(source.ordinal(), link, round);
  }

  int sources(const Target& target) const noexcept { return core_->sources(target.ordinal()); }
  int source(const Target& target, int k) const noexcept {
    return core_->source(target.ordinal(), k);
  }
  /// The fragment of the k-th source, in the order of sources; until `release`.
  template <class T>
  const T* from(const Target& target, int k, std::int64_t round) const noexcept {
    return reinterpret_cast<const T*>(core_->from(target.ordinal(), k, round).data());
  }
  void release(const Target& target, std::int64_t round) const noexcept {
    core_->release(target.ordinal(), round);
  }

  explicit operator bool() const noexcept { return core_ != nullptr; }

 private:
  ExchangeCore* core_ = nullptr;
};

}  // namespace fg
