// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstring>
#include <utility>

#include "transport/mpi/mpi_call.hpp"
#include "transport/mpi/mpi_channel.hpp"

namespace fg::mpi {

namespace {

/// Removes an item in constant time; changes the order of the others.
template <class T>
T take_out(std::vector<T>& items, std::size_t i) {
  std::swap(items[i], items.back());
  T item = std::move(items.back());
  items.pop_back();
  return item;
}

}  // namespace

bool Channel::take_from_rings(PacketSink& sink) {
  bool moved = false;
  for (RingReader& ring : rings_)
    while (const std::byte* const packet = ring.look()) {
      if (sink.full()) return moved;
      open(ring.from(), packet, sink);
      ring.take();
      moved = true;
    }
  return moved;
}

/// Receives match in the order in which they were posted, so only the oldest needs to be tested.
bool Channel::take_in(PacketSink& sink) {
  bool moved = false;
  while (!sink.full()) {
    if (posted_ <= receive_count / 2) post_receives();
    Receive& receive = (*receives_)[oldest_];
    int flag = 0;
    MPI_Status status;
    FG_MPI(MPI_Test, &receive.request, &flag, &status);
    if (!flag) break;
    open_oldest(status.MPI_SOURCE, sink);
    moved = true;
  }
  return moved;
}

void Channel::open_oldest(int from, PacketSink& sink) {
  const Receive& receive = (*receives_)[oldest_];
  oldest_ = (oldest_ + 1) % receive_count;
  --posted_;
  Peer& there = peer(from);
  const PacketHead packet = open(from, receive.bytes.data(), sink);
  there.credits += packet.credits;
  if (packet.records == 0) return;  // it only returned credits
  if (++there.taken >= window / 2) return_credits(from, there);
}

PacketHead Channel::open(int from, const std::byte* packet, PacketSink& sink) {
  PacketHead packet_head;
  std::memcpy(&packet_head, packet, sizeof packet_head);
  const std::byte* at = packet + sizeof packet_head;
  for (int i = 0; i < packet_head.records; ++i) {
    RecordHead head;
    std::memcpy(&head, at, sizeof head);
    take_record(from, head, at + sizeof head, sink);
    at += record_bytes(head.list, head.body);
  }
  return packet_head;
}

void Channel::take_record(int from, const RecordHead& head, const std::byte* rest,
                          PacketSink& sink) {
  const std::span<const std::int32_t> list(reinterpret_cast<const std::int32_t*>(rest), head.list);
  if (head.carries == Carries::nothing) {
    ++received_;
    return sink.receive(from, head.words, list, nullptr);
  }
  if (head.carries == Carries::address) {
    std::uintptr_t address = 0;
    std::memcpy(&address, rest + padded(list.size_bytes()), sizeof address);
    ++received_;
    return sink.receive(from, head.words, list,
                        Ref<const Message>::adopt(reinterpret_cast<const Message*>(address)));
  }
  Ref<Message> message = Message::with_extent({head.trailing_offset, head.trailing_bytes});
  const std::span<std::byte> body = message->writable_body();
  if (head.tag == 0) {
    if (!body.empty()) std::memcpy(body.data(), rest + padded(list.size_bytes()), body.size());
    ++received_;
    return sink.receive(from, head.words, list, std::move(message));
  }
  Arrival& arrival = arrivals_.emplace_back();
  arrival.from = from;
  arrival.words = head.words;
  arrival.list_size = list.size();
  if (!list.empty()) {
    arrival.list = PooledBytes(list.size_bytes());
    std::memcpy(arrival.list.data(), list.data(), list.size_bytes());
  }
  arrival.message = std::move(message);
  FG_MPI(MPI_Irecv, body.data(), static_cast<int>(body.size()), MPI_BYTE, from, head.tag, packets_,
         &arrival.request);
}

bool Channel::take_bytes(PacketSink& sink) {
  bool moved = false;
  for (std::size_t i = 0; i < arrivals_.size();) {
    if (!is_over(arrivals_[i].request)) {
      ++i;
      continue;
    }
    const Arrival arrival = take_out(arrivals_, i);
    ++received_;
    sink.receive(arrival.from, arrival.words,
                 {static_cast<const std::int32_t*>(arrival.list.data()), arrival.list_size},
                 arrival.message);
    moved = true;
  }
  return moved;
}

}  // namespace fg::mpi
