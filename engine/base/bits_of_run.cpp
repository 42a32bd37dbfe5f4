// SPDX-License-Identifier: BSD-3-Clause
#include "base/bits_of_run.hpp"

#include "base/elementary.hpp"
#include "base/simd_targets.hpp"
// Must come after the line above.
#include <hwy/targets.h>

namespace fg {

BitsOfRun::BitsOfRun(Bits bits)
    : holds_targets_(bits == Bits::portable && !simd_target_rounds_once()) {
  elementary::use(bits);
  // Highway keeps its baseline, whatever is disabled.
  if (holds_targets_) hwy::DisableTargets(~HWY_STATIC_TARGET);
}

BitsOfRun::~BitsOfRun() {
  elementary::use(Bits::fast);
  if (holds_targets_) hwy::DisableTargets(0);
}

}  // namespace fg
