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
  if (head.carries == 0) {
    ++received_;
    return sink.receive(from, head.words, list, nullptr);
  }
  if (head.part != 0) return take_part(from, head, list, rest, sink);
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

/// Takes one part of a message; parts may arrive in any order.
void Channel::take_part(int from, const RecordHead& head, std::span<const std::int32_t> list,
                        const std::byte* rest, PacketSink& sink) {
  ++received_;
  auto known = std::find_if(partial_.begin(), partial_.end(), [&](const Partial& one) {
    return one.from == from && one.tag == head.tag;
  });
  if (known == partial_.end()) {
    partial_.push_back({.from = from, .tag = head.tag});
    known = partial_.end() - 1;
    known->message = Message::with_extent({head.trailing_offset, head.trailing_bytes});
    known->missing = known->message->body().size();
  }
  std::memcpy(known->message->writable_body().data() + (head.part - 1u) * part_bytes,
              rest + padded(list.size_bytes()), head.body);
  known->missing -= head.body;
  if (known->missing != 0) return;
  const auto which = static_cast<std::size_t>(known - partial_.begin());
  sink.receive(from, head.words, list, take_out(partial_, which).message);
}

bool Channel::take_bytes(PacketSink& sink) {
  bool moved = false;
  for (std::size_t i = 0; i < arrivals_.size();) {
    if (!done(arrivals_[i].request)) {
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
