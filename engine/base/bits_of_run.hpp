// SPDX-License-Identifier: BSD-3-Clause
//
// What a run with portable bits sets for its whole process, before its threads start: elementary
// functions that are the same on all machines, and kernels of a SIMD target that rounds a product
// and its sum once. Where the best target of the processor does not (SSE4), this is the baseline,
// with the fma of the C library: the right bits, slowly. A process has one run at a time.
#pragma once

#include "base/bits.hpp"

namespace fg {

class BitsOfRun {
 public:
  explicit BitsOfRun(Bits bits);
  ~BitsOfRun();
  BitsOfRun(const BitsOfRun&) = delete;
  BitsOfRun& operator=(const BitsOfRun&) = delete;

 private:
  bool holds_targets_;
};

}  // namespace fg
