// SPDX-License-Identifier: BSD-3-Clause
//
// The place of one element of an array, as this process knows it: on a PE of this process, or in
// another process. A Location is made once and its address never changes. So proxies and queued
// messages may point to it while the element moves.
#pragma once

#include <atomic>
#include <cstdint>

namespace fg {

class ChareBase;
class Pe;
struct ArrayCore;

struct Location {
  std::atomic<Pe*> home{nullptr};  // null: in another process
  ChareBase* object = nullptr;     // used by the home's thread, or while nothing runs
  ArrayCore* array = nullptr;
  int ordinal = 0;
  /// The PE, numbered across all processes. For an element in another process it may be out of
  /// date; the receiver then forwards messages.
  std::atomic<int> pe{0};
  /// How often the element had moved between processes when it arrived at `pe`. Written after `pe`
  /// and read before it, so that an old place is never taken for a new one.
  std::atomic<std::uint32_t> moves{0};
};

}  // namespace fg
