// SPDX-License-Identifier: BSD-3-Clause
//
// Active messages between processes. A packet is a few words for the layer above, a list of whole
// numbers, and a message whose bytes cross as they are. Packets between two processes may arrive in
// any order. Nothing blocks: `send` returns at once, and everything moves on in `progress`, which
// any thread may call. A receiver that falls behind stops taking packets in, and its senders keep
// what they have: a burst costs the sender its messages and the receiver a bounded window.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "transport/message.hpp"

namespace fg {

/// The words of a packet; their meaning belongs to the layer above.
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
  /// A packet has come; `message` may be null. Called from `progress`, by any thread that drives
  /// it, by several at once where the transport has several channels.
  virtual void receive(int from, const PacketWords& words, std::span<const std::int32_t> list,
                       Ref<const Message> message) = 0;
  /// Whether nothing more should be taken in for now; senders then keep what they have.
  virtual bool full() const noexcept { return false; }
};

/// Memory in which each process of a host writes for the others, read where it was written.
class SharedMemory {
 public:
  SharedMemory() = default;
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  virtual ~SharedMemory() = default;
  /// Where this process writes for another one, aligned to 64 bytes; null: not on this host.
  virtual std::byte* to(int process) const noexcept = 0;
  /// Where another one writes for this process. A packet sent after the writing tells of it.
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
  /// Processes of this transport on the same host, this one among them.
  virtual int processes_here() const noexcept = 0;
  /// This one's place among them.
  virtual int rank_here() const noexcept = 0;
  /// "Open MPI 4.1.4", for people.
  virtual std::string description() const = 0;

  /// To another process, from any thread, from within `receive` too. It goes out in `progress`,
  /// together with what else is bound there; of what waits for its receiver the urgent goes first.
  virtual void send(int to, const PacketWords& words, std::span<const std::int32_t> list,
                    Ref<const Message> message, bool urgent = false) = 0;
  /// Takes in what has come and sends what waits; true if anything happened. Returns at once when
  /// another thread is at it.
  virtual bool progress(PacketSink& sink) = 0;
  /// Packets that wait for the network or for their receiver.
  virtual std::size_t pending() const noexcept = 0;

  /// Whether a process has no thread but the one that made the transport, and with nothing to do
  /// rests in `wait`: a process that is simulated.
  virtual bool single_threaded() const noexcept { return false; }
  /// Moves packets on; if there was none, returns when there may be, or after so many seconds.
  virtual void wait(PacketSink& sink, double at_most) = 0;
  /// The clock of the machine that the processes run on [s].
  virtual double seconds() const = 0;

  // All processes together, by one thread each.
  /// Returns when every process is here and no packet is on its way any more; what others send
  /// after it is not taken in by it.
  virtual void settle(PacketSink& sink) = 0;
  // Packets stand still during these.
  /// Those of rank 0, everywhere.
  virtual std::vector<std::byte> broadcast(std::vector<std::byte> bytes) = 0;
  /// Those of each rank at rank 0, nothing elsewhere.
  virtual std::vector<std::vector<std::byte>> gather(std::span<const std::byte> bytes) = 0;
  /// Memory for `bytes[p]` from this process to process p, where they are on one host; null if no
  /// memory is shared. It goes, at the next call of this or at the end of the transport, when
  /// nobody here holds it any more, and everybody lets go of it before the same call.
  virtual std::shared_ptr<const SharedMemory> share(std::span<const std::size_t> bytes) = 0;

  /// By any one process: ends all of them, wherever they are.
  virtual void end_all(int exit_status) noexcept = 0;
};

}  // namespace fg
