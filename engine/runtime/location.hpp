// SPDX-License-Identifier: BSD-3-Clause
//
// Where one element of an array is, as this process knows it: on a PE of its own, or in another
// process. Made once and never moved, so that proxies and queued messages may point to it while the
// element itself moves.
#pragma once

#include <atomic>

namespace fg {

class ChareBase;
class Pe;
struct ArrayCore;

struct Location {
  std::atomic<Pe*> home{nullptr};  // null: in another process
  ChareBase* object = nullptr;     // for the home's thread, or while nothing runs
  ArrayCore* array = nullptr;
  int ordinal = 0;
  std::atomic<int> pe{0};  // among the PEs of all processes
};

}  // namespace fg
