// SPDX-License-Identifier: BSD-3-Clause
//
// What ran when on a PE. There is one record for each message, each piece of a life, and each idle
// interval. Records are in a ring that only the PE's own thread writes. It needs no lock and
// allocates nothing during a run. When the ring is full the oldest records are overwritten and
// counted. A send makes no record: the message carries its sender and time, and the receiver
// records them. So a message between PEs needs neither a second record nor a shared counter. Times
// are in ticks of the counter in clock.hpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/threads/envelope.hpp"

namespace fg {

class ChareBase;

enum class TraceKind : std::uint8_t {
  entry,   // a message invoked its entry
  resume,  // a life ran until it awaited something, or until a kept message was handed to it
  idle,
};

/// The layout in memory and in a file. Records of one PE do not overlap and are in order of time.
struct TraceRecord {
  std::uint64_t begin;
  std::uint64_t duration;
  std::uint64_t cause;    // of an entry: `trace_cause` of its message; 0: not sent by a PE
  std::int64_t step;      // of an entry: the step of its message, or no_step
  std::uint32_t bytes;    // of an entry: the size of its message between processes
  std::uint32_t element;  // ordinal of the chare in its array
  std::uint16_t array;    // number of the array, in order of creation
  std::uint16_t entry;    // its id; for a piece of a life, the entry that started the life
  TraceKind kind;
  std::array<std::uint8_t, 3> unused;
};
static_assert(sizeof(TraceRecord) == 48);

/// Sender of a message, and the lower 48 bits of the time: a day at 3 GHz, longer than any message
/// waits.
constexpr std::uint64_t trace_cause(int pe, std::uint64_t ticks) noexcept {
  return (static_cast<std::uint64_t>(pe) + 1) << 48 | (ticks & ((std::uint64_t{1} << 48) - 1));
}

/// The ring of one PE, on its own cache lines, because every event writes to it.
class alignas(64) Tracer {
 public:
  /// Room for this many records, rounded up to a power of two.
  explicit Tracer(std::size_t records);

  /// Forgets all records, for a new trace.
  void clear() noexcept;

  /// Called on the own thread's core before it starts. Allocates the memory near this core, so that
  /// no page fault occurs later.
  void touch() noexcept;
  // Called by the own thread, each with the present time; they end the open record.
  void start(std::uint64_t now) noexcept;
  void begin_message(std::uint64_t now, const Envelope& message) noexcept;
  void begin_resume(std::uint64_t now, const ChareBase& chare, const EntryInfo& life) noexcept;
  void begin_idle(std::uint64_t now) noexcept;
  void end(std::uint64_t now) noexcept {
    if (open_) close(now);
  }
  void finish(std::uint64_t now) noexcept;

  // Do not call these while the thread runs.
  std::uint64_t began() const noexcept { return began_; }
  std::uint64_t ended() const noexcept { return ended_; }
  std::uint64_t lost() const noexcept;
  /// Oldest first, in two parts if the ring has wrapped.
  std::array<std::span<const TraceRecord>, 2> records() const noexcept;

 private:
  void close(std::uint64_t now) noexcept;
  void open(const TraceRecord& record) noexcept;
  TraceRecord& slot(std::uint64_t number) noexcept { return ring_[number & mask_]; }

  const std::uint64_t mask_;
  const std::unique_ptr<TraceRecord[]> ring_;
  std::uint64_t count_ = 0;  // records written so far; the open one is the next
  std::uint64_t first_ = 0;  // first record of the present loop
  bool open_ = false;
  std::uint64_t began_ = 0;  // start of the first loop of the trace
  std::uint64_t ended_ = 0;
};

/// The records of all PEs with the data needed to read them; the spans belong to the runtime.
struct Trace {
  struct Array {
    std::string name;
    std::vector<int> shape;
  };
  struct OfPe {
    int rank = 0;                      // among the PEs of all processes
    std::uint64_t begin = 0, end = 0;  // of its loop
    std::uint64_t lost = 0;            // records that were overwritten
    std::array<std::span<const TraceRecord>, 2> records;
  };
  double seconds_per_tick = 0;
  double start = 0;               // seconds since 1970, UTC, at `start_ticks`
  std::uint64_t start_ticks = 0;  // when the PEs were started
  std::vector<std::string> entries;
  std::vector<Array> arrays;
  std::vector<OfPe> pes;
};

}  // namespace fg
