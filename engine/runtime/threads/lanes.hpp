// SPDX-License-Identifier: BSD-3-Clause
//
// A PE's own queue: one first-in first-out ring per lane. No other thread uses it, so it needs no
// atomic operations. The highest occupied lane is served, but one pick in 32 takes the lanes in
// turn, so that no lane starves.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "runtime/threads/envelope.hpp"

namespace fg {

class EnvelopeRing {
 public:
  bool empty() const noexcept { return head_ == tail_; }
  std::size_t size() const noexcept { return tail_ - head_; }

  void push(const Envelope& envelope) {
    if (tail_ - head_ > mask_) [[unlikely]]
      grow();
    store(items_[tail_++ & mask_], envelope);
  }
  Envelope pop() noexcept {
    const Envelope& first = items_[head_++ & mask_];
    if (head_ == tail_) head_ = tail_ = 0;  // keeps to the same few cache lines
    return {first.target, first.entry, first.step, first.payload, first.cause};
  }

 private:
  void grow();
  // Copied field by field here and in pop. A copy by vector registers could not be forwarded from
  // the stores of a push just before it, and would wait for them.
  static void store(Envelope& slot, const Envelope& envelope) noexcept {
    slot.target = envelope.target;
    slot.entry = envelope.entry;
    slot.step = envelope.step;
    slot.payload = envelope.payload;
    slot.cause = envelope.cause;
  }

  static constexpr std::size_t initial_capacity = 256;
  std::unique_ptr<Envelope[]> items_ = std::make_unique_for_overwrite<Envelope[]>(initial_capacity);
  std::size_t mask_ = initial_capacity - 1;
  std::size_t head_ = 0;
  std::size_t tail_ = 0;
};

class Lanes {
 public:
  bool empty() const noexcept { return occupied_ == 0; }

  void push(Lane lane, const Envelope& envelope) {
    rings_[static_cast<std::size_t>(lane)].push(envelope);
    occupied_ |= 1u << static_cast<unsigned>(lane);
  }
  /// Called only if it is not empty.
  Envelope pop() noexcept {
    unsigned lane = static_cast<unsigned>(std::countr_zero(occupied_));
    if ((++picks_ & 31u) == 0) [[unlikely]] {
      const unsigned turn = (picks_ >> 5) & 3u;
      if (occupied_ >> turn & 1u) lane = turn;
    }
    EnvelopeRing& ring = rings_[lane];
    const Envelope envelope = ring.pop();
    if (ring.empty()) occupied_ &= ~(1u << lane);
    return envelope;
  }

 private:
  std::uint32_t occupied_ = 0;  // one bit per lane
  std::uint32_t picks_ = 0;
  std::array<EnvelopeRing, lane_count> rings_;
};

}  // namespace fg
