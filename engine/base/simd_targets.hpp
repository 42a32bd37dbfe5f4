// SPDX-License-Identifier: BSD-3-Clause
//
// The SIMD targets that kernels are compiled for; include this before <hwy/foreach_target.h>. On
// x86 these are a portable baseline, SSE4, AVX2 and AVX-512. The targets left out have the same
// vectors and would only cost compile time.
#pragma once

#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#endif

#include <cstdint>

namespace fg {

/// The target of the kernels that run on this processor, by Highway's number.
std::int64_t simd_target_in_use();

/// Whether products that go into sums are rounded with these on that target, not by themselves.
bool simd_target_rounds_once();

}  // namespace fg
