// SPDX-License-Identifier: BSD-3-Clause
//
// Active messages between processes. A packet is a few words for the layer above, a list of whole
// numbers, and a message whose bytes are sent unchanged. Packets between two processes may arrive
// in any order. No call blocks: `send` returns at once, and `progress`, which any thread may call,
// does the work. A receiver that is too slow stops taking packets in, and its senders keep theirs.
// So a burst costs the sender the memory of its messages, and the receiver only a bounded window.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "transport/message.hpp"

namespace fg {

/// The words of a packet; the layer above defines their meaning.
struct PacketWords {
  std::int32_t kind = 0, lane = 0;
  std::int32_t entry = 0, array = 0, element = 0, other = 0;
  std::int64_t step = 0;
  std::uint64_t payload = 0;
  std::uint64_t cause = 0;
};

class PacketSink {
 public:
  virtual ~PacketSink() = default;
  /// Called for each packet that has arrived; `message` may be null. `progress` calls it, from any
  /// thread that drives it, and from several at once if the transport has several channels.
  virtual void receive(int from, const PacketWords& words, std::span<const std::int32_t> list,
                       Ref<const Message> message) = 0;
  /// Whether nothing more should be taken in for now; senders then keep their packets.
  virtual bool full() const noexcept { return false; }
};

/// Memory in which each process of a host writes for the others; they read it in place.
class SharedMemory {
 public:
  SharedMemory() = default;
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  virtual ~SharedMemory() = default;
  /// Where this process writes for another one, aligned to 64 bytes; null if that is on another
  /// host.
  virtual std::byte* to(int process) const noexcept = 0;
  /// Where another process writes for this one. What it wrote is visible once a packet that it sent
  /// afterwards has arrived.
  virtual std::byte* from(int process) const noexcept = 0;
};

class Transport {
 public:
  Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;
  virtual ~Transport() = default;

  virtual int rank() const noexcept = 0;
  virtual int processes() const noexcept = 0;
  /// The number of processes of this transport on the same host, including this one.
  virtual int processes_here() const noexcept = 0;
  /// The index of this process among them.
  virtual int rank_here() const noexcept = 0;
  /// Text for the user, such as "Open MPI 4.1.4".
  virtual std::string description() const = 0;

  /// Sends to another process; may be called from any thread, also from within `receive`.
  /// `progress` sends it, together with other packets to the same process. Among packets that wait
  /// for their receiver the urgent ones go first.
  virtual void send(int to, const PacketWords& words, std::span<const std::int32_t> list,
                    Ref<const Message> message, bool urgent = false) = 0;
  /// Takes in what has arrived and sends what waits; returns true if anything happened. Returns at
  /// once if another thread does this already.
  virtual bool progress(PacketSink& sink) = 0;
  /// The number of packets that wait for the network or for their receiver.
  virtual std::size_t pending() const noexcept = 0;

  /// Whether each process has only the thread that made the transport. It waits in `wait` when it
  /// has nothing to do. True for simulated processes.
  virtual bool single_threaded() const noexcept { return false; }
  /// Sends and takes in packets; if there were none, waits until there may be, or for at most this
  /// many seconds.
  virtual void wait(PacketSink& sink, double at_most) = 0;
  /// The clock of the machine on which the processes run [s].
  virtual double seconds() const = 0;

  // The following are called by all processes together, by one thread in each.
  /// Returns when every process has called it and no packet is in flight any more. Packets that
  /// others send afterwards are not taken in by it.
  virtual void settle(PacketSink& sink) = 0;
  // During these calls no packets are sent or taken in.
  /// Returns the bytes of rank 0, in every process.
  virtual std::vector<std::byte> broadcast(std::vector<std::byte> bytes) = 0;
  /// Returns the bytes of each rank, at rank 0; nothing in other processes.
  virtual std::vector<std::vector<std::byte>> gather(std::span<const std::byte> bytes) = 0;
  /// Memory for `bytes[p]` from this process to process p, if they are on one host; null if no
  /// memory is shared. Unused memory is freed at the next call of `share` or at the end of the
  /// transport. All processes must release a piece of memory before the same call.
  virtual std::shared_ptr<const SharedMemory> share(std::span<const std::size_t> bytes) = 0;

  /// Called by any one process: ends all processes on all hosts.
  virtual void end_all(int exit_status) noexcept = 0;
};

}  // namespace fg
