// SPDX-License-Identifier: BSD-3-Clause
//
// The SIMD targets that kernels are compiled for; include before <hwy/foreach_target.h>. On x86
// these are a portable floor, SSE4, AVX2 and AVX-512; the ones left out have the same vectors and
// would only cost compile time.
#pragma once

#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#endif
