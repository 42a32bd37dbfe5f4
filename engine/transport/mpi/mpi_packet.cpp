// SPDX-License-Identifier: BSD-3-Clause
#include "transport/mpi/mpi_packet.hpp"

namespace fg::mpi {

namespace {

void describe(RecordHead& head, const Message& message, int tag) {
  const MessageExtent extent = message.extent();
  head.carries = Carries::message;
  head.trailing_offset = static_cast<std::uint16_t>(extent.trailing_offset);
  head.trailing_bytes = static_cast<std::uint32_t>(extent.trailing_bytes);
  head.tag = static_cast<std::uint16_t>(tag);
}

}  // namespace

void Packet::add(RecordHead head, std::span<const std::int32_t> list, Ref<const Message> message,
                 int tag) {
  if (message) describe(head, *message, tag);
  write(head, list, message && tag == 0 ? message->body() : std::span<const std::byte>());
  if (tag != 0) follower[static_cast<std::size_t>(followers++)] = {tag, std::move(message)};
}

void Packet::add_address(RecordHead head, std::span<const std::int32_t> list,
                         Ref<const Message> message) {
  head.carries = Carries::address;
  const auto address = reinterpret_cast<std::uintptr_t>(message.detach());
  write(head, list, std::as_bytes(std::span(&address, 1)));
}

void Packet::write(RecordHead head, std::span<const std::int32_t> list,
                   std::span<const std::byte> body) {
  head.list = static_cast<std::uint16_t>(list.size());
  head.body = static_cast<std::uint16_t>(body.size());
  std::byte* at = data() + size;
  std::memcpy(at, &head, sizeof head);
  at += sizeof head;
  if (!list.empty()) std::memcpy(at, list.data(), list.size_bytes());
  at += padded(list.size_bytes());
  if (!body.empty()) std::memcpy(at, body.data(), body.size());
  size += static_cast<int>(record_bytes(list.size(), body.size()));
  ++records;
}

}  // namespace fg::mpi
