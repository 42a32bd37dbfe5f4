// SPDX-License-Identifier: BSD-3-Clause
//
// For tests: a PE's queue that hands out its messages in any order that the runtime promises to
// allow, drawn from a seed. It holds messages back for random numbers of deliveries. It holds
// messages of some objects, some entries and some lanes much longer than others, and now and then
// stops its thread. Messages that it holds count as sent and not as processed, so nothing is quiet
// while there are any. On one PE of one process a seed always gives the same order.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/threads/envelope.hpp"
#include "runtime/threads/lanes.hpp"

namespace fg {

/// The environment variable that sets RuntimeOptions::delivery_seed where that is 0.
inline constexpr const char* delivery_seed_variable = "FINEGRAIN_DELIVERY_SEED";

/// The seed in that variable, or 0. Throws InputError if it is not a number above 0.
std::uint64_t delivery_seed_of_environment();

class Disorder {
 public:
  /// Takes from `lanes`, and puts back what it holds when it ends. `alone`: no other thread brings
  /// messages, so it is of no use to wait for them.
  Disorder(Lanes& lanes, std::uint64_t seed, bool alone);
  ~Disorder();
  Disorder(const Disorder&) = delete;
  Disorder& operator=(const Disorder&) = delete;

  /// Takes in what has been queued, and may stop the thread for up to half a millisecond. True if a
  /// message may be delivered now. False if there is none, or if other messages should be looked
  /// for first.
  bool ready();
  bool empty() const noexcept { return held_.empty(); }
  /// Called only after `ready` was true.
  Envelope pop() noexcept;

 private:
  struct Held {
    std::uint64_t due;  // by the number of deliveries
    std::uint64_t turn;
    Envelope envelope;
    bool operator<(const Held& other) const noexcept {
      return due != other.due ? due > other.due : turn > other.turn;  // a heap's top is the largest
    }
  };
  std::uint64_t draw() noexcept;
  std::uint64_t draw_below(std::uint64_t limit) noexcept { return draw() % limit; }
  bool is_slow(std::uint64_t what) const noexcept;
  std::uint64_t delay(const Envelope& envelope) noexcept;
  void pause() noexcept;

  Lanes& lanes_;
  const std::uint64_t seed_;
  const bool alone_;
  std::uint64_t state_;
  std::uint64_t reach_ = 1;  // deliveries by which a usual message is late, at most
  std::uint64_t now_ = 0;
  std::uint64_t looks_left_ = 0;
  std::vector<Held> held_;  // a heap
};

}  // namespace fg
