// SPDX-License-Identifier: BSD-3-Clause
#include "transport/mpi/mpi_packet.hpp"

namespace fg::mpi {

void Packet::add(RecordHead head, std::span<const std::int32_t> list, Ref<const Message> message,
                 int tag) {
  head.list = static_cast<std::uint16_t>(list.size());
  head.tag = static_cast<std::uint16_t>(tag);
  std::span<const std::byte> body;
  if (message) {
    const MessageExtent extent = message->extent();
    head.carries = true;
    head.trailing_offset = static_cast<std::uint16_t>(extent.trailing_offset);
    head.trailing_bytes = static_cast<std::uint32_t>(extent.trailing_bytes);
    if (tag == 0) body = message->body();
  }
  head.body = static_cast<std::uint16_t>(body.size());
  std::byte* at = data() + size;
  std::memcpy(at, &head, sizeof head);
  at += sizeof head;
  if (!list.empty()) std::memcpy(at, list.data(), list.size_bytes());
  if (!body.empty()) std::memcpy(at + padded(list.size_bytes()), body.data(), body.size());
  size += static_cast<int>(record_bytes(list.size(), body.size()));
  ++records;
  if (tag != 0) follower[static_cast<std::size_t>(followers++)] = {tag, std::move(message)};
}

}  // namespace fg::mpi
