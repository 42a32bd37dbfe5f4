// SPDX-License-Identifier: BSD-3-Clause
//
// The runtime's side of the transport: the meaning of its packets. Elements are identified by array
// and ordinal, and entries by number. These agree in all processes because all run the same
// program; this is checked when the runtime is made.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "runtime/threads/envelope.hpp"
#include "runtime/trees/multicast_tree.hpp"
#include "runtime/waves.hpp"
#include "transport/transport.hpp"

namespace fg {

class Runtime;
struct ArrayCore;
struct Location;
struct SectionCore;

class Network final : public PacketSink {
 public:
  /// With more messages queued for each PE here, no packets are taken in.
  static constexpr std::int64_t backlog_per_pe = 1 << 14;

  /// Throws InputError, in all processes, if they do not run the same program with equally many
  /// PEs.
  Network(Runtime& runtime, Transport& transport, int pes_here);
  ~Network() override;

  // May be called from any thread. Each takes over one counted reference of a message in `payload`.
  void send(Location& to, Lane lane, const EntryInfo& entry, std::int64_t step,
            std::uint64_t payload);
  void multicast(const ArrayCore& array, int process, std::span<const int> members, Lane lane,
                 const EntryInfo& entry, std::int64_t step, std::uint64_t payload);
  /// The same along the tree of a section with a fan-out, to all other processes.
  void spread(const SectionCore& section, Lane lane, const EntryInfo& entry, std::int64_t step,
              std::uint64_t payload);
  /// Sends an element that moves to a PE of another process; `moves` counts its moves.
  void send_element(const ArrayCore& array, int ordinal, int pe, std::uint32_t moves, bool restarts,
                    Ref<const Message> bytes);
  /// Sends a vector for a node of a reduction's tree.
  void contribute(int process, int reduction, int node, int place, std::int64_t step,
                  Ref<const Message> values);

  /// Sends a parcel of a round of an exchange.
  void send_round(int process, int exchange, int parcel, std::int64_t round,
                  Ref<const Message> pieces);

  /// Sends and takes in packets; true if anything happened.
  bool progress();

  // Called by one thread, before and after the threads of the PEs run.
  void begin_run();
  /// Returns when all processes have left the run and have nothing left to send.
  void end_run();

  // Each acts only once per run, even if called more often.
  void announce_stop() noexcept;
  void announce_failure(const std::exception_ptr& error) noexcept;

  /// Whether a call of the transport has thrown.
  bool broken() const noexcept { return broken_; }

  /// Called when a PE has nothing to do. Returns the number of seconds after which to call it
  /// again, at the latest.
  double look_for_quiet() { return waves_.begin(); }
  /// Look for it soon, not only now and then.
  void expect_quiet() noexcept { waves_.expect_quiet(); }
  /// As Transport::wait.
  void wait(double at_most);

  /// A control word between the runtimes of two processes, about the present run.
  enum class Word : std::int32_t {
    stop,
    failure,
    ask_processed,
    tell_processed,
    ask_sent,
    tell_sent,
    fire,
    fired,
    ask_waiting,
    tell_waiting,
  };
  void tell(int process, Word word, std::uint64_t number = 0, int other = 0,
            Ref<const Message> message = nullptr);
  void tell_all(Word word, Ref<const Message> message = nullptr);
  int process() const noexcept { return transport_.rank(); }
  Transport& transport() noexcept { return transport_; }
  /// Between runs: returns when no packet is in flight any more.
  void settle() { transport_.settle(*this); }
  int processes() const noexcept { return transport_.processes(); }

 private:
  enum class Kind : std::int32_t {
    entry,
    multicast,
    element,
    whereabouts,
    contribution,
    round,
    spread,
    word,
  };

  void receive(int from, const PacketWords& words, std::span<const std::int32_t> list,
               Ref<const Message> message) override;
  bool full() const noexcept override;

  struct Early {
    int from;
    PacketWords words;
    Ref<const Message> message;
  };
  void receive_spread(const PacketWords& words, std::span<const std::int32_t> list,
                      Ref<const Message> message);
  void pass_on(int from, Location& target, PacketWords words, std::uint64_t payload);
  void hear(int from, const PacketWords& words, const Ref<const Message>& message);
  void count_sent(std::uint64_t messages, bool urgent);
  void number_all();
  void check_same_program(int pes_here);
  const EntryInfo& entry(int id) const;
  std::uint64_t payload_of(const EntryInfo& entry, const PacketWords& words,
                           Ref<const Message> message) const;

  Runtime& runtime_;
  Transport& transport_;
  std::vector<const EntryInfo*> entries_;  // by number
  Waves waves_;
  std::atomic<std::uint64_t> next_spread_{0};
  PieceAssembly assembly_;
  std::atomic<bool> broken_{false};                           // the transport has failed
  std::atomic<bool> stop_told_{false}, failure_told_{false};  // in this run
  std::atomic<std::int64_t> run_{0};
  // reserved memory, so that a failure can be reported when memory runs out; never touched
  std::unique_ptr<std::byte[]> spare_;
  std::mutex early_mutex_;
  std::vector<Early> early_;  // control words about a run that has not begun here
};

/// Bytes as a message.
struct BytesMessage : Message {
  std::span<const std::byte> bytes() const noexcept {
    return {trailing<std::byte>(), trailing_bytes()};
  }
};
Ref<const Message> message_of_bytes(std::span<const std::byte> bytes);

}  // namespace fg
