// SPDX-License-Identifier: BSD-3-Clause
//
// What is sent between two processes in one piece: a packet. It contains all records for the same
// process that were added before it was closed ("message combining"). A message that fits travels
// in its record. A larger one comes in parts, each in a record, or its bytes are sent separately
// under a tag.
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

inline constexpr std::size_t packet_bytes = 8192;  // maximum size of a packet

struct PacketHead {
  std::int32_t credits = 0;  // packets from the receiver that the sender has taken in
  std::int32_t records = 0;
};

enum class Carries : std::uint8_t {
  nothing,
  message,
  address,  // of a message in HostMemory, whose reference goes to the receiver; stands as the body
};

/// Stands before the list and, if it is in the packet, the message's body, both padded. It is small
/// because every cache line that is transferred costs time.
struct RecordHead {
  PacketWords words;
  std::uint32_t trailing_bytes = 0;  // of the message
  std::uint16_t trailing_offset = 0;
  std::uint16_t body = 0;  // bytes of the message that follow
  std::uint16_t list = 0;  // numbers of the list
  std::uint16_t tag = 0;   // if the message comes separately, else 0
  Carries carries = Carries::nothing;
};
static_assert(sizeof(RecordHead) == 64 && packet_bytes <= UINT16_MAX);

inline constexpr std::size_t padded(std::size_t bytes) noexcept {
  return (bytes + 7) & ~std::size_t{7};
}

/// A packet from its first record until MPI has finished with it.
struct Packet {
  static constexpr int most_followers = 4;
  struct Follower {
    int tag = 0;
    Ref<const Message> message;  // message whose bytes are sent separately
  };

  PooledBytes bytes;          // the packet's memory, or
  std::byte* slot = nullptr;  // a slot of a ring
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
  /// Prepares an empty packet.
  void open(std::byte* in_ring) {
    slot = in_ring;
    if (!slot) bytes = PooledBytes(packet_bytes);
    size = sizeof(PacketHead);
  }
  /// Moves the packet into a free slot of a ring.
  void move_into(std::byte* in_ring) {
    std::memcpy(in_ring, bytes.data(), static_cast<std::size_t>(size));
    bytes = {};
    slot = in_ring;
  }
  /// Adds a record to an open packet with room for it. The message is in the record if `tag` is 0.
  void add(RecordHead head, std::span<const std::int32_t> list, Ref<const Message> message,
           int tag);
  /// Adds a record with the address of a message to an open packet with room for it.
  void add_address(RecordHead head, std::span<const std::int32_t> list, Ref<const Message> message);
  void set_credits(int credits) noexcept {
    const PacketHead head{.credits = credits, .records = records};
    std::memcpy(data(), &head, sizeof head);
  }

 private:
  void write(RecordHead head, std::span<const std::int32_t> list, std::span<const std::byte> body);
};

/// Size of a record that carries `body` bytes of its message.
inline std::size_t record_bytes(std::size_t list, std::size_t body) noexcept {
  return sizeof(RecordHead) + padded(list * sizeof(std::int32_t)) + padded(body);
}

}  // namespace fg::mpi
