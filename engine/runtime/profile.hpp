// SPDX-License-Identifier: BSD-3-Clause
//
// The time of a PE per entry, per named phase inside entries, idle, and scheduling. The counter is
// read once at each message boundary, and the interval is added to what ran in it. With
// Profiling::scheduling a second read per message separates scheduling from the entry. Times in
// seconds.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/threads/clock.hpp"

namespace fg {

enum class Profiling : std::uint8_t {
  off,
  entries,     // scheduling counts as part of the entry before it
  scheduling,  // scheduling and sending separately, with two or more reads per message
  trace,       // the same, and a record of each message; set by RuntimeOptions::trace
};

/// A name for a part of an entry's work. Make it once: `static const fg::Phase phase("prune");`
class Phase {
 public:
  explicit Phase(std::string_view name);
  int id() const noexcept { return id_; }
  static constexpr int limit = 128;

 private:
  int id_;
};

/// The times of one PE. Only that PE writes it.
class Account {
 public:
  struct Item {
    std::uint64_t count = 0;
    std::uint64_t ticks = 0;
  };
  static constexpr int idle = 0;
  static constexpr int scheduler = 1;
  static constexpr int sending = 2;
  static constexpr int first_entry = 3;

  void prepare(int entries);
  void start() noexcept { last_ = ticks_now(), current_ = scheduler; }
  void finish() noexcept { switch_to(scheduler); }

  /// Time of the last switch, in ticks; a trace uses it as the present time.
  std::uint64_t last() const noexcept { return last_; }

  /// Adds the time since the last switch to the item that ran, and begins `item`.
  int switch_to(int item) noexcept {
    const std::uint64_t now = ticks_now();
    items_[static_cast<std::size_t>(current_)].ticks += now - last_;
    last_ = now;
    const int before = current_;
    current_ = item;
    return before;
  }
  void begin_entry(int id) noexcept {
    switch_to(first_entry + id);
    ++items_[static_cast<std::size_t>(first_entry + id)].count;
  }
  void add_phase(int phase, std::uint64_t ticks) noexcept {
    Item& item = phases_[static_cast<std::size_t>(phase)];
    ++item.count;
    item.ticks += ticks;
  }

  const std::vector<Item>& items() const noexcept { return items_; }
  const std::vector<Item>& phases() const noexcept { return phases_; }

 private:
  std::uint64_t last_ = 0;
  int current_ = scheduler;
  std::vector<Item> items_;
  std::vector<Item> phases_;
};

namespace detail {
/// The calling PE's account; null for other threads and without profiling.
Account* current_account() noexcept;
}  // namespace detail

/// Measures its scope as a phase: two reads of the counter, or one branch when profiling is off.
class PhaseTimer {
 public:
  explicit PhaseTimer(const Phase& phase) noexcept
      : account_(detail::current_account()), phase_(phase.id()) {
    if (account_) start_ = ticks_now();
  }
  PhaseTimer(const PhaseTimer&) = delete;
  PhaseTimer& operator=(const PhaseTimer&) = delete;
  ~PhaseTimer() {
    if (account_) account_->add_phase(phase_, ticks_now() - start_);
  }

 private:
  Account* account_;
  int phase_;
  std::uint64_t start_ = 0;
};

/// The accounts of all PEs, merged, in seconds.
struct Profile {
  struct Item {
    std::string name;
    std::uint64_t count = 0;
    double seconds = 0;  // summed over PEs
  };
  struct PerPe {
    double busy = 0;  // in entries and coroutines
    double idle = 0;
    double scheduling = 0;  // 0 unless Profiling::scheduling
    double sending = 0;     // likewise
    std::uint64_t processed = 0;
    std::uint64_t sent = 0;
    std::uint64_t sent_to_others = 0;
  };
  double wall_seconds = 0;
  std::vector<Item> entries;  // longest first
  std::vector<Item> phases;   // longest first; contained in the entries, so not to be added to them
  std::vector<PerPe> pes;
};

}  // namespace fg
