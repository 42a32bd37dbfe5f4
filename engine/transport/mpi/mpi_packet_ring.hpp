// SPDX-License-Identifier: BSD-3-Clause
//
// Packets between two processes of a host: slots in shared memory, one writer, one reader. The
// writer fills a slot where the reader reads it; a number before the slot says that it is full.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>

#include "transport/mpi/mpi_packet.hpp"

namespace fg::mpi {

struct PacketRing {
  static constexpr std::size_t line = 64;
  // one line more, so that slots do not share cache sets
  static constexpr std::size_t stride = packet_bytes + line;
  static constexpr std::size_t bytes(std::size_t slots) noexcept { return line + slots * stride; }

  using Number = std::atomic<std::uint64_t>;
  static_assert(Number::is_always_lock_free && sizeof(Number) == 8);

  std::byte* memory = nullptr;
  std::size_t slots = 0;

  /// The number of packets that the reader has finished with.
  Number& taken() const noexcept { return *reinterpret_cast<Number*>(memory); }
  /// The number before the k-th packet: k + 1 once the packet is there.
  Number& number(std::uint64_t k) const noexcept {
    return *reinterpret_cast<Number*>(memory + line + k % slots * stride);
  }
  std::byte* packet(std::uint64_t k) const noexcept {
    return memory + line + k % slots * stride + sizeof(Number);
  }
};

/// Used by one thread at a time.
class RingWriter {
 public:
  /// Must be made before the reader looks.
  explicit RingWriter(PacketRing ring) : ring_(ring) {
    new (&ring_.taken()) PacketRing::Number{0};
    for (std::size_t k = 0; k < ring_.slots; ++k) new (&ring_.number(k)) PacketRing::Number{0};
  }

  /// A slot to write and then fill, or null if the reader still holds all slots.
  std::byte* reserve() noexcept {
    if (next_ - taken_ == ring_.slots) {
      taken_ = ring_.taken().load(std::memory_order_acquire);
      if (next_ - taken_ == ring_.slots) return nullptr;
    }
    return ring_.packet(next_++);
  }
  /// Slots may be filled in any order.
  void fill(std::byte* slot) noexcept {
    auto& number = *reinterpret_cast<PacketRing::Number*>(slot - sizeof(PacketRing::Number));
    const std::uint64_t place =
        static_cast<std::uint64_t>(slot - ring_.packet(0)) / PacketRing::stride;
    // At any place at most one slot is reserved and not yet filled; this is its round.
    const std::uint64_t round = (next_ - 1 - place) / ring_.slots;
    number.store(round * ring_.slots + place + 1, std::memory_order_release);
  }

 private:
  PacketRing ring_;
  std::uint64_t next_ = 0, taken_ = 0;
};

/// Used by one thread at a time.
class RingReader {
 public:
  RingReader(int from, PacketRing ring) : from_(from), ring_(ring) {}

  int from() const noexcept { return from_; }
  /// The next packet, or null.
  const std::byte* look() const noexcept {
    return ring_.number(next_).load(std::memory_order_acquire) == next_ + 1 ? ring_.packet(next_)
                                                                            : nullptr;
  }
  void take() noexcept { ring_.taken().store(++next_, std::memory_order_release); }

 private:
  int from_;
  PacketRing ring_;
  std::uint64_t next_ = 0;
};

}  // namespace fg::mpi
