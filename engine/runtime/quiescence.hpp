// SPDX-License-Identifier: BSD-3-Clause
//
// Quiescence: no entry runs and no message is in flight. Every PE counts the messages that it has
// sent and processed. First the processed counts of all PEs are read, then the sent counts. A
// message is counted as sent before any thread can see it, and as processed after all that it sent
// was counted. So the second sum contains the causes of everything in the first. If they are equal,
// nothing was in flight when the first reading ended, and nothing can start any more. Mattern,
// Distributed Computing 2, 161 (1987), in shared memory; waves.hpp does the same across processes.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "runtime/threads/envelope.hpp"

namespace fg {

class Pe;

/// Counts of one PE, written by that PE and read by any PE that checks for quiescence.
class MessageCounts {
 public:
  void sent(std::uint64_t n) noexcept { add(sent_, n, std::memory_order_relaxed); }
  /// The part of the sent messages that went to other processes.
  void sent_away(std::uint64_t n) noexcept { add(sent_away_, n, std::memory_order_relaxed); }
  void processed() noexcept { add(processed_, 1, std::memory_order_release); }

  std::uint64_t sent_total() const noexcept { return sent_.load(std::memory_order_acquire); }
  std::uint64_t sent_away_total() const noexcept {
    return sent_away_.load(std::memory_order_acquire);
  }
  std::uint64_t processed_total() const noexcept {
    return processed_.load(std::memory_order_acquire);
  }

 private:
  static void add(std::atomic<std::uint64_t>& counter, std::uint64_t n,
                  std::memory_order order) noexcept {
    counter.store(counter.load(std::memory_order_relaxed) + n, order);  // one writer: no RMW
  }
  std::atomic<std::uint64_t> sent_{0};
  std::atomic<std::uint64_t> sent_away_{0};
  std::atomic<std::uint64_t> processed_{0};
};

class Quiescence {
 public:
  /// Messages sent by threads that are not PEs, counted before they are queued.
  void sent_from_outside(std::uint64_t n) noexcept {
    outside_.fetch_add(n, std::memory_order_release);
  }

  /// Messages processed by threads that are not PEs, after all that they sent was counted.
  void processed_outside(std::uint64_t n) noexcept {
    handled_.fetch_add(n, std::memory_order_release);
  }

  struct Request {
    Lane lane;
    Envelope envelope;
  };
  /// Adds a message to be sent once when all is quiet.
  void request(const Request& request);
  bool requested() const noexcept { return requested_.load(std::memory_order_acquire); }
  std::size_t requests();

  /// Whether all is quiet. A PE that finds nothing to do calls it; the last one to call it sees the
  /// counts of all others.
  bool quiet(std::span<const std::unique_ptr<Pe>> pes) noexcept;
  /// The two sums of this process; they have to be read in this order.
  std::uint64_t processed(std::span<const std::unique_ptr<Pe>> pes) const noexcept;
  std::uint64_t sent(std::span<const std::unique_ptr<Pe>> pes) const noexcept;
  /// Locked by the PE that acts on quiescence, from its second check until its sends are counted.
  /// So no other PE acts on the same quiescence.
  std::unique_lock<std::mutex> decide() { return std::unique_lock(mutex_); }
  /// Returns and forgets the requests. The caller holds the lock of `decide`.
  std::vector<Request> take_requests();

 private:
  alignas(64) std::atomic<std::uint64_t> outside_{0};
  std::atomic<std::uint64_t> handled_{0};
  alignas(64) std::atomic<std::uint64_t> turns_{0};
  std::atomic<bool> requested_{false};
  std::mutex mutex_;
  std::vector<Request> requests_;
};

}  // namespace fg
