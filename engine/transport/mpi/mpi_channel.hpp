// SPDX-License-Identifier: BSD-3-Clause
//
// A connection between all processes: a communicator and everything in flight on it. A sender puts
// a record into the open packet for its destination. One thread at a time drives the channel. It
// closes that packet and sends it as soon as the receiver has credit for one more. So records that
// were sent between two calls of `progress`, or while credit was short, travel together.
//
// Receives are always posted. The bytes of a larger message go directly from the sender's buffer to
// the receiver's, under a tag of their own. Credits limit the number of packets that a receiver has
// not yet taken in. Packets between processes of one host go through rings in shared memory, and
// large messages by their address.
#pragma once

#include <mpi.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "base/ring.hpp"
#include "transport/mpi/mpi_packet.hpp"
#include "transport/mpi/mpi_packet_ring.hpp"
#include "transport/transport.hpp"

namespace fg::mpi {

class Channel {
 public:
  /// Processes with one thread each look at the network by `take_in_by_waiting`.
  Channel(MPI_Comm processes, bool single_threaded);
  ~Channel();
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  /// Size of the ring for each other process of a host.
  static std::size_t ring_bytes(int processes_here) noexcept;
  /// Called by all processes of the host; they must then meet before any of them sends or drives
  /// the channel.
  void use_rings(std::shared_ptr<const SharedMemory> memory, int processes_here);
  /// Large messages to these processes go by their address from now on: they have agreed on
  /// HostMemory. Called like use_rings.
  void use_addresses(std::span<const int> processes_here);

  /// May be called from any thread.
  void send(int to, const PacketWords& words, std::span<const std::int32_t> list,
            Ref<const Message> message, bool urgent);
  /// Returns true if anything happened; returns false at once if another thread drives the channel.
  bool progress(PacketSink& sink);
  /// Blocks until a packet has arrived or left, or `other` is complete; takes the packet in. Only
  /// if no other thread drives the channel.
  void wait(PacketSink& sink, MPI_Request* other);
  std::size_t pending() const noexcept { return pending_.load(std::memory_order_relaxed); }

  // Number of records so far. Call it only while no thread drives the channel.
  std::uint64_t sent() const noexcept;
  std::uint64_t received() const noexcept { return received_; }

  /// Completes all sends. Call it only when no thread drives the channel any more.
  void finish_sending() noexcept;

 private:
  static constexpr int packet_tag = 0;
  static constexpr int own_tag = 32767;  // of messages to this process itself
  static constexpr std::size_t receive_count = 32;
  static constexpr int window = 64;  // packets to one process that it has not yet taken in

  /// The place where any thread packs packets for one process.
  struct Outlet {
    std::mutex mutex;
    Packet open;
    int next_bytes_tag = 0;
    std::unique_ptr<RingWriter> ring;  // to a process of this host
    bool by_address = false;           // the process can read large messages where they are
    std::uint64_t sent = 0;            // records sent through the ring
  };
  struct Sending {
    MPI_Request request = MPI_REQUEST_NULL;
    PooledBytes bytes;
    Ref<const Message> message;
  };
  struct Receive {
    MPI_Request request = MPI_REQUEST_NULL;
    alignas(64) std::array<std::byte, packet_bytes> bytes;
  };
  /// A record whose message's bytes are still in transit.
  struct Arrival {
    MPI_Request request = MPI_REQUEST_NULL;
    int from = 0;
    PacketWords words;
    PooledBytes list;
    std::size_t list_size = 0;
    Ref<Message> message;
  };
  struct Peer {
    int credits = window;  // packets that may still be sent
    int taken = 0;         // packets taken in whose credits are to be returned
    bool listed = false;   // in to_serve_
    Ring<Packet> waiting, urgent;
  };

  Peer& peer(int rank);
  Outlet& outlet(int rank);
  void open_for(Outlet& there, int to, std::size_t record, bool urgent);
  static void fill_slot(Outlet& there, Packet& packet);
  void post_receives();
  bool send_waiting();
  void list(int to);
  bool serve(int to);
  bool can_go(Peer& there, Outlet& outlet, Packet& packet);
  bool send_all_of(Peer& there, Outlet& outlet, Ring<Packet>& packets);
  void start(Peer& there, Outlet& outlet, Packet packet);
  void start_bytes(Packet& packet);
  bool take_in(PacketSink& sink);
  bool take_in_by_waiting(PacketSink& sink);
  bool take_from_rings(PacketSink& sink);
  void open_oldest(int from, PacketSink& sink);
  PacketHead open(int from, const std::byte* packet, PacketSink& sink);
  void take_record(int from, const RecordHead& head, const std::byte* rest, PacketSink& sink);
  void return_credits(int to, Peer& there);
  bool take_bytes(PacketSink& sink);
  bool is_over(MPI_Request& request) const;
  bool finish_sends();

  MPI_Comm packets_ = MPI_COMM_NULL;
  const bool single_threaded_;
  int rank_ = 0;
  std::atomic<std::size_t> pending_{0};

  std::vector<std::atomic<Outlet*>> outlets_;  // made at the first send
  alignas(64) std::mutex outbox_mutex_;
  std::vector<Packet> full_;
  std::vector<int> opened_;  // destinations with an open packet, some repeatedly
  std::atomic<bool> outgoing_{false};

  // Only with `driving_` locked.
  alignas(64) std::mutex driving_;
  std::uint64_t sent_ = 0, received_ = 0;  // records; those through rings are counted there
  std::uint64_t started_ = 0;              // packets
  std::vector<Packet> taken_full_;
  std::vector<int> taken_opened_;
  std::vector<std::unique_ptr<Peer>> peers_;
  std::vector<int> to_serve_;  // destinations with something to send
  std::unique_ptr<std::array<Receive, receive_count>> receives_;
  std::size_t oldest_ = 0, posted_ = 0;  // index and number of posted receives, in turn
  Ring<Sending> sends_;
  std::vector<Arrival> arrivals_;
  std::vector<RingReader> rings_;  // from processes of this host
  bool all_by_rings_ = false;
  double nothing_since_ = -1;  // when take_in_by_waiting last found nothing [s]

  std::shared_ptr<const SharedMemory> shared_;  // where the rings are
};

}  // namespace fg::mpi
