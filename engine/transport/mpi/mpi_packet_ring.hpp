// SPDX-License-Identifier: BSD-3-Clause
//
// The way of packets between two processes of a host: slots in memory that they share, one writer,
// one reader. A slot is filled where it will be read; a number in front of it says that it is full.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>

#include "transport/mpi/mpi_packet.hpp"

namespace fg::mpi {

struct PacketRing {
  static constexpr std::size_t line = 64;
  static constexpr std::size_t stride = packet_bytes + line;  // so that slots do not share sets
  static constexpr std::size_t bytes(std::size_t slots) noexcept { return line + slots * stride; }

  using Number = std::atomic<std::uint64_t>;
  static_assert(Number::is_always_lock_free && sizeof(Number) == 8);

  std::byte* memory = nullptr;
  std::size_t slots = 0;

  /// How many packets the reader is done with.
  Number& taken() const noexcept { return *reinterpret_cast<Number*>(memory); }
  /// In front of the k-th packet: k + 1 once it is there.
  Number& number(std::uint64_t k) const noexcept {
    return *reinterpret_cast<Number*>(memory + line + k % slots * stride);
  }
  std::byte* packet(std::uint64_t k) const noexcept {
    return memory + line + k % slots * stride + sizeof(Number);
  }
};

/// One thread at a time.
class RingWriter {
 public:
  /// Before the reader looks.
  explicit RingWriter(PacketRing ring) : ring_(ring) {
    new (&ring_.taken()) PacketRing::Number{0};
    for (std::size_t k = 0; k < ring_.slots; ++k) new (&ring_.number(k)) PacketRing::Number{0};
  }

  /// A slot to be written and then filled, or null while the reader holds them all.
  std::byte* reserve() noexcept {
    if (next_ - taken_ == ring_.slots) {
      taken_ = ring_.taken().load(std::memory_order_acquire);
      if (next_ - taken_ == ring_.slots) return nullptr;
    }
    return ring_.packet(next_++);
  }
  /// In any order.
  void fill(std::byte* slot) noexcept {
    auto& number = *reinterpret_cast<PacketRing::Number*>(slot - sizeof(PacketRing::Number));
    const std::uint64_t place =
        static_cast<std::uint64_t>(slot - ring_.packet(0)) / PacketRing::stride;
    // The only one of this place that has been reserved and not been filled.
    const std::uint64_t round = (next_ - 1 - place) / ring_.slots;
    number.store(round * ring_.slots + place + 1, std::memory_order_release);
  }

 private:
  PacketRing ring_;
  std::uint64_t next_ = 0, taken_ = 0;
};

/// One thread at a time.
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
