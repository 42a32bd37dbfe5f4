// SPDX-License-Identifier: BSD-3-Clause
#include "transport/mpi/mpi_channel.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "transport/host_memory.hpp"
#include "transport/mpi/mpi_call.hpp"

namespace fg::mpi {

namespace {
constexpr int first_bytes_tag = 1;
constexpr int bytes_tags = 16384;  // within the least upper bound that MPI promises
constexpr std::size_t most_unfinished_sends = 32;
constexpr std::size_t most_ring_bytes = std::size_t{4} << 20;  // of a process
constexpr std::size_t most_bytes = std::size_t{1} << 30;       // of a message

std::size_t ring_slots(int processes_here) noexcept {
  const auto others = static_cast<std::size_t>(std::max(processes_here - 1, 1));
  return std::clamp<std::size_t>(most_ring_bytes / packet_bytes / others, 4, 64);
}
}  // namespace

Channel::Channel(MPI_Comm processes, bool single_threaded)
    : single_threaded_(single_threaded),
      receives_(std::make_unique<std::array<Receive, receive_count>>()) {
  FG_MPI(MPI_Comm_dup, processes, &packets_);
  FG_MPI(MPI_Comm_set_errhandler, packets_, MPI_ERRORS_RETURN);
  int size = 0;
  FG_MPI(MPI_Comm_size, packets_, &size);
  FG_MPI(MPI_Comm_rank, packets_, &rank_);
  peers_.resize(static_cast<std::size_t>(size));
  outlets_ = std::vector<std::atomic<Outlet*>>(static_cast<std::size_t>(size));
}

std::size_t Channel::ring_bytes(int processes_here) noexcept {
  return PacketRing::bytes(ring_slots(processes_here));
}

void Channel::use_rings(std::shared_ptr<const SharedMemory> memory, int processes_here) {
  shared_ = std::move(memory);
  const std::size_t slots = ring_slots(processes_here);
  for (int other = 0; other < static_cast<int>(peers_.size()); ++other) {
    std::byte* const out = shared_->to(other);
    if (!out) continue;
    outlet(other).ring = std::make_unique<RingWriter>(PacketRing{out, slots});
    rings_.emplace_back(other, PacketRing{shared_->from(other), slots});
  }
  all_by_rings_ = rings_.size() + 1 == peers_.size();
}

void Channel::use_addresses(std::span<const int> processes_here) {
  for (const int other : processes_here) outlet(other).by_address = true;
}

/// Ignores failed calls: after a failure another process has already gone.
Channel::~Channel() {
  for (Receive& receive : *receives_) {
    if (receive.request == MPI_REQUEST_NULL) continue;
    MPI_Cancel(&receive.request);
    MPI_Wait(&receive.request, MPI_STATUS_IGNORE);
  }
  MPI_Comm_free(&packets_);
  for (auto& outlet : outlets_) delete outlet.load();
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

Channel::Outlet& Channel::outlet(int rank) {
  std::atomic<Outlet*>& slot = outlets_[static_cast<std::size_t>(rank)];
  if (Outlet* const there = slot.load(std::memory_order_acquire)) return *there;
  auto made = std::make_unique<Outlet>();
  Outlet* expected = nullptr;
  if (slot.compare_exchange_strong(expected, made.get(), std::memory_order_acq_rel))
    return *made.release();
  return *expected;
}

void Channel::post_receives() {
  for (; posted_ < receive_count; ++posted_) {
    Receive& receive = (*receives_)[(oldest_ + posted_) % receive_count];
    FG_MPI(MPI_Irecv, receive.bytes.data(), static_cast<int>(packet_bytes), MPI_BYTE,
           MPI_ANY_SOURCE, packet_tag, packets_, &receive.request);
  }
}

void Channel::send(int to, const PacketWords& words, std::span<const std::int32_t> list,
                   Ref<const Message> message, bool urgent) {
  const std::size_t body = message ? message->body().size() : 0;
  FG_CHECK(body < most_bytes);
  Outlet& there = outlet(to);
  const bool by_address = there.by_address && HostMemory::contains(message.get());
  std::size_t record = record_bytes(list.size(), by_address ? sizeof(std::uintptr_t) : body);
  const bool whole = sizeof(PacketHead) + record <= packet_bytes;
  if (!whole) record = record_bytes(list.size(), 0);
  FG_CHECK(sizeof(PacketHead) + record <= packet_bytes);

  const std::lock_guard lock(there.mutex);
  if (by_address) {
    open_for(there, to, record, urgent);
    return there.open.add_address({.words = words}, list, std::move(message));
  }
  int tag = 0;
  if (!whole) {
    tag = first_bytes_tag + there.next_bytes_tag;
    there.next_bytes_tag = (there.next_bytes_tag + 1) % bytes_tags;
  }
  open_for(there, to, record, urgent);
  there.open.add({.words = words}, list, std::move(message), tag);
}

/// Makes sure that the open packet has room for a record. The caller holds the outlet's lock.
void Channel::open_for(Outlet& there, int to, std::size_t record, bool urgent) {
  const bool full = !there.open.empty() && !there.open.has_room(record);
  if (full || there.open.empty()) {
    pending_.fetch_add(1, std::memory_order_relaxed);
    if (full && there.open.slot && there.open.followers == 0) {
      fill_slot(there, there.open);
      there.open = Packet();
      pending_.fetch_sub(1, std::memory_order_relaxed);
    }
    {
      const std::lock_guard outbox(outbox_mutex_);
      if (!there.open.empty()) full_.push_back(std::exchange(there.open, Packet()));
      opened_.push_back(to);
      outgoing_.store(true, std::memory_order_release);
    }
    there.open.open(there.ring ? there.ring->reserve() : nullptr);
  }
  there.open.to = to;
  there.open.urgent |= urgent;
}

void Channel::fill_slot(Outlet& there, Packet& packet) {
  there.sent += static_cast<std::uint64_t>(packet.records);
  packet.set_credits(0);
  there.ring->fill(packet.slot);
}

bool Channel::progress(PacketSink& sink) {
  const std::unique_lock driving(driving_, std::try_to_lock);
  if (!driving) return false;
  bool moved = send_waiting();
  moved |= take_from_rings(sink);
  if (!all_by_rings_) moved |= single_threaded_ ? take_in_by_waiting(sink) : take_in(sink);
  moved |= take_bytes(sink);
  // Arrivals may soon be answered, so other work waits until nothing arrives.
  if (!moved && !all_by_rings_) post_receives();
  if (!moved || sends_.size() >= most_unfinished_sends) moved |= finish_sends();
  return moved;
}

bool Channel::send_waiting() {
  const std::uint64_t before = started_;
  if (outgoing_.load(std::memory_order_acquire)) {
    {
      const std::lock_guard lock(outbox_mutex_);
      taken_full_.swap(full_);
      taken_opened_.swap(opened_);
      outgoing_.store(false, std::memory_order_relaxed);
    }
    for (Packet& packet : taken_full_) {
      Peer& there = peer(packet.to);
      if (packet.slot) {
        Outlet& way = outlet(packet.to);
        start(there, way, std::move(packet));
        continue;
      }
      list(packet.to);
      (packet.urgent ? there.urgent : there.waiting).push(std::move(packet));
    }
    for (const int to : taken_opened_) list(to);
    taken_full_.clear();
    taken_opened_.clear();
  }
  std::erase_if(to_serve_, [&](int to) { return serve(to); });
  return started_ != before;
}

void Channel::list(int to) {
  if (!std::exchange(peer(to).listed, true)) to_serve_.push_back(to);
}

/// Sends all packets for which there is credit or a slot; returns true if nothing is left. A packet
/// that already has a slot is always sent, because the reader cannot pass an empty slot.
bool Channel::serve(int to) {
  Peer& there = peer(to);
  Outlet& outlet = *outlets_[static_cast<std::size_t>(to)].load(std::memory_order_acquire);
  const bool all =
      send_all_of(there, outlet, there.urgent) && send_all_of(there, outlet, there.waiting);
  Packet packet;
  {
    const std::lock_guard lock(outlet.mutex);
    if (!outlet.open.empty()) {
      if (!outlet.open.slot && !(all && can_go(there, outlet, outlet.open))) return false;
      packet = std::exchange(outlet.open, Packet());
    }
  }
  if (all) there.listed = false;
  if (!packet.empty()) start(there, outlet, std::move(packet));
  return all;
}

bool Channel::send_all_of(Peer& there, Outlet& outlet, Ring<Packet>& packets) {
  while (!packets.empty()) {
    {
      const std::lock_guard lock(outlet.mutex);
      if (!can_go(there, outlet, packets.front())) return false;
    }
    start(there, outlet, packets.pop());
  }
  return true;
}

/// The caller holds the outlet's lock.
bool Channel::can_go(Peer& there, Outlet& outlet, Packet& packet) {
  if (!outlet.ring) return there.credits > 0;
  if (packet.slot) return true;
  std::byte* const slot = outlet.ring->reserve();
  if (slot) packet.move_into(slot);
  return slot != nullptr;
}

void Channel::start(Peer& there, Outlet& outlet, Packet packet) {
  ++started_;
  if (outlet.ring) {
    const std::lock_guard lock(outlet.mutex);
    fill_slot(outlet, packet);
  } else {
    sent_ += static_cast<std::uint64_t>(packet.records);
    --there.credits;
    packet.set_credits(std::exchange(there.taken, 0));
    Sending& records = sends_.push({.bytes = std::move(packet.bytes)});
    pending_.fetch_add(1, std::memory_order_relaxed);
    FG_MPI(MPI_Isend, records.bytes.data(), packet.size, MPI_BYTE, packet.to, packet_tag, packets_,
           &records.request);
  }
  start_bytes(packet);
  pending_.fetch_sub(1, std::memory_order_relaxed);
}

void Channel::start_bytes(Packet& packet) {
  for (int i = 0; i < packet.followers; ++i) {
    auto& [tag, message] = packet.follower[static_cast<std::size_t>(i)];
    pending_.fetch_add(1, std::memory_order_relaxed);
    const std::span<const std::byte> body = message->body();
    Sending& bytes = sends_.push({.message = std::move(message)});
    FG_MPI(MPI_Isend, body.data(), static_cast<int>(body.size()), MPI_BYTE, packet.to, tag,
           packets_, &bytes.request);
  }
}

std::uint64_t Channel::sent() const noexcept {
  std::uint64_t all = sent_;
  for (const auto& outlet : outlets_)
    if (const Outlet* const there = outlet.load(std::memory_order_acquire)) all += there->sent;
  return all;
}

/// Packets that return credits need no credit themselves: there are at most two in a window.
void Channel::return_credits(int to, Peer& there) {
  Packet packet{.bytes = PooledBytes(sizeof(PacketHead))};
  packet.set_credits(std::exchange(there.taken, 0));
  pending_.fetch_add(1, std::memory_order_relaxed);
  Sending& sending = sends_.push({.bytes = std::move(packet.bytes)});
  FG_MPI(MPI_Isend, sending.bytes.data(), static_cast<int>(sizeof(PacketHead)), MPI_BYTE, to,
         packet_tag, packets_, &sending.request);
}

bool Channel::finish_sends() {
  bool moved = false;
  while (!sends_.empty() && is_over(sends_.front().request)) {
    sends_.pop();
    pending_.fetch_sub(1, std::memory_order_relaxed);
    moved = true;
  }
  return moved;
}

}  // namespace fg::mpi
