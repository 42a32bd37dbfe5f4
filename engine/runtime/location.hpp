// SPDX-License-Identifier: BSD-3-Clause
//
// Where one element of an array is, as this process knows it: on a PE of its own, or in another
// process. Made once and never moved, so that proxies and queued messages may point to it while the
// element itself moves.
#pragma once

#include <atomic>
#include <cstdint>

namespace fg {

class ChareBase;
class Pe;
struct ArrayCore;

struct Location {
  std::atomic<Pe*> home{nullptr};  // null: in another process
  ChareBase* object = nullptr;     // for the home's thread, or while nothing runs
  ArrayCore* array = nullptr;
  int ordinal = 0;
  /// Among the PEs of all processes; what is known of an element elsewhere may be out of date, but
  /// whoever it is sent to knows better.
  std::atomic<int> pe{0};
  /// How often the element has moved between processes by the time it is at `pe`. Written after
  /// `pe` and read before it, so that nobody takes an old place for a new one.
  std::atomic<std::uint32_t> moves{0};
};

}  // namespace fg
