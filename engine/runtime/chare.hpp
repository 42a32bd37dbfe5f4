// SPDX-License-Identifier: BSD-3-Clause
//
// A chare owns its state and is reached only by messages. It runs on one PE at a time, so its
// members need no lock. Derive from Chare<Self, D> with D the number of dimensions of its array.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "runtime/mailbox.hpp"
#include "runtime/task.hpp"

namespace fg {

class Archive;
class Pe;
class Runtime;
struct ArrayCore;
struct Location;
template <class C>
class Array;
template <class C>
class Element;

class ChareBase {
 public:
  ChareBase(const ChareBase&) = delete;
  ChareBase& operator=(const ChareBase&) = delete;
  virtual ~ChareBase() = default;

  Runtime& runtime() const noexcept;
  /// The PE that runs this chare.
  int pe() const noexcept;
  /// Position in the index order of the array, last index fastest.
  int ordinal() const noexcept { return ordinal_; }
  /// Messages that no life has awaited yet.
  const Mailbox& mailbox() const noexcept { return mailbox_; }
  /// "awaits fg::Cell::accept at step 3 (2 missing)", or an empty text.
  std::string describe_wait() const;
  ArrayCore* array_core() const noexcept { return array_; }
  Location* location() const noexcept;

  /// Called after `move_to`, at the new place: starts again from the members. The default leaves
  /// the chare without a life.
  virtual void restart() {}
  /// Writes or reads the members that differ from those of a new element of this index. The default
  /// throws: the chare cannot move to another process.
  virtual void archive(Archive& with);
  /// `restart` as an entry.
  void arrive() { restart(); }

  /// Ticks of the clock spent in this chare since the last `forget_load`; measured only with
  /// Profiling::scheduling or a trace.
  std::uint64_t load() const noexcept { return load_; }
  void forget_load() noexcept { load_ = 0; }

 protected:
  /// Only inside a factory: takes array, index and PE from the element that is being made.
  ChareBase();

  const std::array<int, 4>& raw_index() const noexcept { return index_; }

  /// For use in the middle of a long entry. If the PE drives the network, it takes packets in and
  /// sends what waits. Messages that arrive are processed after this entry.
  void drive_network();
  /// The same, but does nothing if this PE has done so in this way within the last 50 us. An entry
  /// that takes longer than that may call it any number of times, about every 10 to 50 us.
  void drive_network_if_due();

  /// Moves to another PE, of any process, once the current entry has returned and no life runs. A
  /// life that wants to move ends itself. Messages follow, each exactly once. Then `restart` is
  /// called.
  void move_to(int pe) noexcept { destination_ = pe; }

 private:
  friend class Pe;
  friend struct Migration;
  friend struct ArrayCore;
  friend void detail::start_life(ChareBase&, Task&&, const EntryInfo&);
  friend void detail::resume_soon(detail::Suspension&) noexcept;
  friend std::int64_t detail::take_messages(ChareBase&, std::span<Expectation>);
  friend std::size_t detail::take_any(ChareBase&, std::span<const Expectation>);
  friend void detail::wait_for_messages(detail::Suspension&) noexcept;

  detail::Suspensions ready_;    // to resume once the running entry has returned
  detail::Suspensions waiting_;  // until messages have arrived
  Mailbox mailbox_;
  const EntryInfo* life_entry_ = nullptr;
  Task life_;
  ArrayCore* array_ = nullptr;
  Pe* home_ = nullptr;
  int ordinal_ = 0;
  int destination_ = -1;  // a PE to move to
  std::uint64_t load_ = 0;
  std::array<int, 4> index_{};
};

template <class Self, std::size_t D>
class Chare : public ChareBase {
  static_assert(D >= 1 && D <= 4);

 public:
  static constexpr std::size_t dimensions = D;
  using Index = std::array<int, D>;

  Index index() const noexcept {
    Index index;
    for (std::size_t d = 0; d < D; ++d) index[d] = raw_index()[d];
    return index;
  }
  /// The array this chare is an element of.
  Array<Self> array() const noexcept;
  /// The proxy by which others reach this chare.
  Element<Self> self() const noexcept;
};

}  // namespace fg
