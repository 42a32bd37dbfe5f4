// SPDX-License-Identifier: BSD-3-Clause
#include "transport/mpi/mpi_channel.hpp"

#include <cstring>
#include <utility>

#include "transport/mpi/mpi_call.hpp"

namespace fg::mpi {

namespace {
constexpr int packet_tag = 0;
constexpr int first_bytes_tag = 1;
constexpr int bytes_tags = 16384;         // within the least upper bound that MPI promises
constexpr std::int32_t credit_kind = -1;  // a packet that only returns credits
constexpr std::size_t most_bytes = std::size_t{1} << 30;  // of a message
}  // namespace

/// What stands at the head of a packet on the wire.
struct Channel::WireHead {
  PacketWords words;
  std::int32_t list = 0;       // numbers that follow
  std::int32_t credits = 0;    // packets of the receiver's that the sender has taken in
  std::int32_t bytes_tag = 0;  // of the message's bytes if they come by themselves, or 0
  std::int32_t carries = 0;    // whether there is a message
  MessageExtent message{};
};

Channel::Channel(MPI_Comm processes)
    : receives_(std::make_unique<std::array<Receive, posted_receives>>()) {
  FG_MPI(MPI_Comm_dup, processes, &packets_);
  FG_MPI(MPI_Comm_set_errhandler, packets_, MPI_ERRORS_RETURN);
  int size = 0;
  FG_MPI(MPI_Comm_size, packets_, &size);
  peers_.resize(static_cast<std::size_t>(size));
  for (Receive& receive : *receives_) post(receive);
}

/// Goes on where a call fails: then somebody else has gone already.
Channel::~Channel() {
  for (Receive& receive : *receives_) {
    MPI_Cancel(&receive.request);
    MPI_Wait(&receive.request, MPI_STATUS_IGNORE);
  }
  MPI_Comm_free(&packets_);
}

void Channel::finish_sending() noexcept {
  for (std::size_t i = 0; i < sends_.size(); ++i) {
    int flag = 0;
    while (MPI_Test(&sends_[i].request, &flag, MPI_STATUS_IGNORE) == MPI_SUCCESS && !flag)
      sched_yield();
  }
}

Channel::Peer& Channel::peer(int rank) {
  auto& slot = peers_[static_cast<std::size_t>(rank)];
  if (!slot) slot = std::make_unique<Peer>();
  return *slot;
}

void Channel::post(Receive& receive) {
  FG_MPI(MPI_Irecv, receive.bytes.data(), static_cast<int>(eager_bytes), MPI_BYTE, MPI_ANY_SOURCE,
         packet_tag, packets_, &receive.request);
}

void Channel::send(int to, const PacketWords& words, std::span<const std::int32_t> list,
                   Ref<const Message> message) {
  WireHead head{.words = words, .list = static_cast<std::int32_t>(list.size())};
  std::span<const std::byte> body;
  if (message) {
    head.carries = 1;
    head.message = message->extent();
    body = message->body();
    FG_CHECK(body.size() < most_bytes);
  }
  FG_CHECK(sizeof head + list.size_bytes() <= eager_bytes);
  const bool whole = sizeof head + list.size_bytes() + body.size() <= eager_bytes;
  if (!whole) head.bytes_tag = first_bytes_tag;  // the driver says which
  const std::size_t size = sizeof head + list.size_bytes() + (whole ? body.size() : 0);
  Packet packet{.bytes = PooledBytes(size), .size = static_cast<int>(size), .to = to};
  auto* at = static_cast<std::byte*>(packet.bytes.data());
  std::memcpy(at, &head, sizeof head);
  at += sizeof head;
  if (!list.empty()) std::memcpy(at, list.data(), list.size_bytes());
  if (whole && !body.empty()) std::memcpy(at + list.size_bytes(), body.data(), body.size());
  if (!whole) packet.follows = std::move(message);

  pending_.fetch_add(1, std::memory_order_relaxed);
  const std::lock_guard lock(outbox_mutex_);
  outbox_.push_back(std::move(packet));
  outgoing_.store(true, std::memory_order_release);
}

bool Channel::progress(PacketSink& sink) {
  const std::unique_lock driving(driving_, std::try_to_lock);
  if (!driving) return false;
  bool moved = send_waiting();
  moved |= take_in(sink);
  moved |= take_bytes(sink);
  moved |= finish_sends();
  return moved;
}

bool Channel::send_waiting() {
  bool moved = false;
  if (outgoing_.load(std::memory_order_acquire)) {
    {
      const std::lock_guard lock(outbox_mutex_);
      taken_out_.swap(outbox_);
      outgoing_.store(false, std::memory_order_relaxed);
    }
    moved = true;
    for (Packet& packet : taken_out_) {
      Peer& there = peer(packet.to);
      if (there.credits > 0 && there.waiting.empty()) {
        start(there, std::move(packet));
      } else {
        if (there.waiting.empty()) blocked_.push_back(packet.to);
        there.waiting.push(std::move(packet));
      }
    }
    taken_out_.clear();
  }
  std::erase_if(blocked_, [&](int to) {
    Peer& there = peer(to);
    while (there.credits > 0 && !there.waiting.empty()) {
      start(there, there.waiting.pop());
      moved = true;
    }
    return there.waiting.empty();
  });
  return moved;
}

void Channel::start(Peer& there, Packet packet) {
  --there.credits;
  ++sent_;
  WireHead head;
  std::memcpy(&head, packet.bytes.data(), sizeof head);
  head.credits = std::exchange(there.taken, 0);
  if (packet.follows) {
    head.bytes_tag = first_bytes_tag + there.next_bytes_tag;
    there.next_bytes_tag = (there.next_bytes_tag + 1) % bytes_tags;
  }
  std::memcpy(packet.bytes.data(), &head, sizeof head);
  Sending& eager = sends_.push({.bytes = std::move(packet.bytes)});
  FG_MPI(MPI_Isend, eager.bytes.data(), packet.size, MPI_BYTE, packet.to, packet_tag, packets_,
         &eager.request);
  if (!packet.follows) return;
  pending_.fetch_add(1, std::memory_order_relaxed);
  const std::span<const std::byte> body = packet.follows->body();
  Sending& bytes = sends_.push({.message = std::move(packet.follows)});
  FG_MPI(MPI_Isend, body.data(), static_cast<int>(body.size()), MPI_BYTE, packet.to, head.bytes_tag,
         packets_, &bytes.request);
}

/// Receives match in the order in which they were posted, so the oldest is the one to look at.
bool Channel::take_in(PacketSink& sink) {
  bool moved = false;
  for (std::size_t i = 0; i < posted_receives && !sink.full(); ++i) {
    Receive& receive = (*receives_)[oldest_];
    int flag = 0;
    MPI_Status status;
    FG_MPI(MPI_Test, &receive.request, &flag, &status);
    if (!flag) break;
    oldest_ = (oldest_ + 1) % posted_receives;
    open(status.MPI_SOURCE, receive, sink);
    post(receive);
    moved = true;
  }
  return moved;
}

void Channel::open(int from, const Receive& receive, PacketSink& sink) {
  WireHead head;
  std::memcpy(&head, receive.bytes.data(), sizeof head);
  Peer& there = peer(from);
  there.credits += head.credits;
  if (head.words.kind == credit_kind) return;
  if (++there.taken >= window / 2) return_credits(from, there);
  const std::byte* at = receive.bytes.data() + sizeof head;
  const std::span<const std::int32_t> list(reinterpret_cast<const std::int32_t*>(at),
                                           static_cast<std::size_t>(head.list));
  if (!head.carries) {
    ++received_;
    return sink.receive(from, head.words, list, nullptr);
  }
  Ref<Message> message = Message::with_extent(head.message);
  const std::span<std::byte> body = message->writable_body();
  if (head.bytes_tag == 0) {
    if (!body.empty()) std::memcpy(body.data(), at + list.size_bytes(), body.size());
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
  FG_MPI(MPI_Irecv, body.data(), static_cast<int>(body.size()), MPI_BYTE, from, head.bytes_tag,
         packets_, &arrival.request);
}

/// They need no credit themselves: two in a window at most.
void Channel::return_credits(int to, Peer& there) {
  WireHead head;
  head.words.kind = credit_kind;
  head.credits = std::exchange(there.taken, 0);
  pending_.fetch_add(1, std::memory_order_relaxed);
  Sending& sending = sends_.push({.bytes = PooledBytes(sizeof head)});
  std::memcpy(sending.bytes.data(), &head, sizeof head);
  FG_MPI(MPI_Isend, sending.bytes.data(), static_cast<int>(sizeof head), MPI_BYTE, to, packet_tag,
         packets_, &sending.request);
}

bool Channel::take_bytes(PacketSink& sink) {
  bool moved = false;
  for (std::size_t i = 0; i < arrivals_.size();) {
    if (!done(arrivals_[i].request)) {
      ++i;
      continue;
    }
    const Arrival arrival = std::move(arrivals_[i]);
    if (i + 1 != arrivals_.size()) arrivals_[i] = std::move(arrivals_.back());
    arrivals_.pop_back();
    ++received_;
    sink.receive(arrival.from, arrival.words,
                 {static_cast<const std::int32_t*>(arrival.list.data()), arrival.list_size},
                 arrival.message);
    moved = true;
  }
  return moved;
}

bool Channel::finish_sends() {
  bool moved = false;
  while (!sends_.empty() && done(sends_.front().request)) {
    sends_.pop();
    pending_.fetch_sub(1, std::memory_order_relaxed);
    moved = true;
  }
  return moved;
}

}  // namespace fg::mpi
