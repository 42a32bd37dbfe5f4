// SPDX-License-Identifier: BSD-3-Clause
//
// The queue between threads: many producers, one consumer. A push takes a ticket with one fetch_add
// and publishes its slot with one release store. Items that do not fit into the ring go to a list
// behind a mutex. The order between ring and list is not defined, and neither is the order of
// messages. Design after the lockless queue of Charm++ on Blue Gene/Q (Kumar et al., IPDPS 2013).
// Instead of its bounded increment there is a limit that leaves room for one ticket in flight of
// every producer.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace fg {

template <class T>
class TicketQueue {
 public:
  /// `producers` is the maximum number of threads that call `push`.
  TicketQueue(std::size_t capacity, std::size_t producers)
      : mask_(std::bit_ceil(capacity + producers) - 1),
        limit_(mask_ + 1 - producers),
        slots_(std::make_unique<Slot[]>(mask_ + 1)) {}

  /// Called by one of the producers.
  void push(const T& item) {
    // Read the head first: an old value only makes the ring look fuller than it is.
    const std::uint64_t head = head_.load(std::memory_order_acquire);
    const std::uint64_t tail = tail_.load(std::memory_order_relaxed);
    if (tail - head >= limit_) [[unlikely]]
      return push_overflow(item);
    // Sequentially consistent: either `may_hold_items` sees the ticket, or this thread sees the
    // flag that its caller has set.
    const std::uint64_t ticket = tail_.fetch_add(1, std::memory_order_seq_cst);
    Slot& slot = slots_[ticket & mask_];
    slot.item = item;
    slot.sequence.store(ticket + 1, std::memory_order_release);
  }

  /// May be called from any number of threads.
  void push_overflow(const T& item) {
    const std::lock_guard lock(mutex_);
    overflow_.push_back(item);
    overflowed_.store(true, std::memory_order_seq_cst);
  }

  /// Whether `drain` would find an item. Consumer only.
  bool ready() const noexcept {
    return slots_[next_ & mask_].sequence.load(std::memory_order_acquire) == next_ + 1 ||
           overflowed_.load(std::memory_order_relaxed);
  }

  /// Passes at most `limit` items of the ring, and all items of the list, to `take`. Consumer only.
  template <class Take>
  std::size_t drain(std::size_t limit, Take&& take) {
    std::size_t taken = 0;
    while (taken < limit) {
      const Slot& slot = slots_[next_ & mask_];
      if (slot.sequence.load(std::memory_order_acquire) != next_ + 1) break;
      take(slot.item);
      ++next_;
      ++taken;
    }
    // Done rarely, because every producer reads this cache line. An old head only makes the ring
    // look fuller.
    if (next_ - published_ > mask_ / 8) {
      published_ = next_;
      head_.store(next_, std::memory_order_release);
    }
    if (overflowed_.load(std::memory_order_relaxed)) [[unlikely]]
      taken += drain_overflow(take);
    return taken;
  }

  /// False only if every push that has begun has been drained. For the consumer, after it has
  /// announced with a sequentially consistent store that it is going to sleep.
  bool may_hold_items() const noexcept {
    return tail_.load(std::memory_order_seq_cst) != next_ ||
           overflowed_.load(std::memory_order_seq_cst);
  }

 private:
  struct alignas(64) Slot {
    std::atomic<std::uint64_t> sequence{0};  // ticket + 1 once the item is complete
    T item;
  };

  template <class Take>
  std::size_t drain_overflow(Take&& take) {
    {
      const std::lock_guard lock(mutex_);
      overflow_.swap(draining_);
      overflowed_.store(false, std::memory_order_relaxed);
    }
    for (const T& item : draining_) take(item);
    const std::size_t taken = draining_.size();
    draining_.clear();
    return taken;
  }

  const std::uint64_t mask_;
  const std::uint64_t limit_;
  const std::unique_ptr<Slot[]> slots_;
  alignas(64) std::uint64_t next_ = 0;  // next ticket of the consumer; head_ follows with a delay
  std::uint64_t published_ = 0;
  std::vector<T> draining_;
  alignas(64) std::atomic<std::uint64_t> head_{0};
  alignas(64) std::atomic<std::uint64_t> tail_{0};
  alignas(64) std::atomic<bool> overflowed_{false};
  std::mutex mutex_;
  std::vector<T> overflow_;
};

}  // namespace fg
