// SPDX-License-Identifier: BSD-3-Clause
//
// What crosses between two processes in one piece: a packet, and in it the records that were bound
// for the same process when it was closed ("message combining"). A message that fits travels in its
// record; a larger one comes in parts, each in a record, or its bytes follow by themselves under a
// tag.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

#include "transport/transport.hpp"

namespace fg::mpi {

inline constexpr std::size_t packet_bytes = 8192;  // the most that a packet takes

struct PacketHead {
  std::int32_t credits = 0;  // packets of the receiver's that the sender has taken in
  std::int32_t records = 0;
};

/// In front of the list and, if it is in the packet, the message's body, both padded. Small, since
/// every line of the cache that crosses takes its time.
struct RecordHead {
  PacketWords words;
  std::uint32_t trailing_bytes = 0;  // of the message
  std::uint16_t trailing_offset = 0;
  std::uint16_t body = 0;    // bytes of it that follow
  std::uint16_t list = 0;    // numbers
  std::uint16_t tag = 0;     // of the message if it comes by itself or in parts, or 0
  std::uint8_t carries = 0;  // a message: 1
  std::uint8_t part = 0;     // of one that comes in parts: which, from 1
};
static_assert(sizeof(RecordHead) == 64 && packet_bytes <= UINT16_MAX);

// A message that takes more than a packet may come in parts where they travel by a ring.
inline constexpr std::size_t part_bytes = 7040;
inline constexpr std::size_t most_parts = 16;  // beyond, one copy by MPI takes less time than two
inline constexpr std::size_t most_list_of_parts = 256;
inline std::span<const std::byte> part_of(std::span<const std::byte> body, std::size_t part) {
  const std::size_t begin = part * part_bytes;
  return body.subspan(begin, std::min(part_bytes, body.size() - begin));
}

inline constexpr std::size_t padded(std::size_t bytes) noexcept {
  return (bytes + 7) & ~std::size_t{7};
}

/// Packed, from the first record until MPI has done with it.
struct Packet {
  static constexpr int most_followers = 4;
  struct Follower {
    int tag = 0;
    Ref<const Message> message;  // whose bytes come by themselves
  };

  PooledBytes bytes;          // where it is, or
  std::byte* slot = nullptr;  // of a ring
  int size = 0;
  int records = 0;
  int to = 0;
  bool urgent = false;
  int followers = 0;
  std::array<Follower, most_followers> follower{};

  bool empty() const noexcept { return records == 0; }
  std::byte* data() const noexcept { return slot ? slot : static_cast<std::byte*>(bytes.data()); }
  bool has_room(std::size_t record) const noexcept {
    return static_cast<std::size_t>(size) + record <= packet_bytes && followers < most_followers;
  }
  /// Where it is empty.
  void open(std::byte* in_ring) {
    slot = in_ring;
    if (!slot) bytes = PooledBytes(packet_bytes);
    size = sizeof(PacketHead);
  }
  /// Into a slot of a ring that has come free.
  void move_into(std::byte* in_ring) {
    std::memcpy(in_ring, bytes.data(), static_cast<std::size_t>(size));
    bytes = {};
    slot = in_ring;
  }
  // Into an open one, where the record has to fit:
  /// the message travels in it if `tag` is 0;
  void add(RecordHead head, std::span<const std::int32_t> list, Ref<const Message> message,
           int tag);
  /// a part of it does.
  void add_part(RecordHead head, std::span<const std::int32_t> list, const Message& message,
                int tag, std::size_t part);
  void set_credits(int credits) noexcept {
    const PacketHead head{.credits = credits, .records = records};
    std::memcpy(data(), &head, sizeof head);
  }

 private:
  void write(RecordHead head, std::span<const std::int32_t> list, std::span<const std::byte> body);
};

/// Bytes of a record that carries `body` bytes of its message.
inline std::size_t record_bytes(std::size_t list, std::size_t body) noexcept {
  return sizeof(RecordHead) + padded(list * sizeof(std::int32_t)) + padded(body);
}

}  // namespace fg::mpi
