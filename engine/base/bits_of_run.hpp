// SPDX-License-Identifier: BSD-3-Clause
//
// What a run with portable bits sets for its whole process, before its threads start. Elementary
// functions are the same on all machines. Kernels are of a SIMD target that rounds a product and
// its sum once. If the best target of the processor (SSE4) does not, the target is the baseline
// with the fma of the C library. This gives the right bits, slowly. A process has one run at a
// time.
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
